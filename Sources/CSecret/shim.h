/* This path does not require pkg-config's flags for the header. SwiftPM does not accept one of them. */
#define __SECRET_INSIDE_HEADER__
#include <libsecret-1/libsecret/secret-password.h>
#undef __SECRET_INSIDE_HEADER__
#include <stdlib.h>
#include <string.h>

/* Swift cannot call variadic functions. The caller must release returned texts with free(). */

static inline const SecretSchema *chemopen_schema(void)
{
    static const SecretSchema schema = {
        "org.chemopen.Credential", SECRET_SCHEMA_NONE,
        {{"source", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"kind", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}},
    };
    return &schema;
}

static inline void chemopen_take_error(GError *error, char **message)
{
    if (!error) return;
    *message = strdup(error->message);
    g_error_free(error);
}

/* Returns the secret of a source, or NULL if there is no secret. If the lookup fails, sets an error message. */
static inline char *chemopen_find_secret(const char *source, const char *kind, char **message)
{
    GError *error = NULL;
    gchar *found = secret_password_lookup_sync(chemopen_schema(), NULL, &error, "source", source, "kind", kind, NULL);
    char *copy = found ? strdup(found) : NULL;
    if (found) secret_password_free(found);
    chemopen_take_error(error, message);
    return copy;
}

static inline int chemopen_keep_secret(
    const char *source, const char *kind, const char *label, const char *secret, char **message)
{
    GError *error = NULL;
    gboolean kept = secret_password_store_sync(
        chemopen_schema(), SECRET_COLLECTION_DEFAULT, label, secret, NULL, &error, "source", source, "kind", kind, NULL);
    chemopen_take_error(error, message);
    return kept;
}

static inline int chemopen_withdraw_secret(const char *source, const char *kind, char **message)
{
    GError *error = NULL;
    gboolean withdrawn =
        secret_password_clear_sync(chemopen_schema(), NULL, &error, "source", source, "kind", kind, NULL);
    chemopen_take_error(error, message);
    return withdrawn;
}

static inline void chemopen_forget(char *text)
{
    if (text) explicit_bzero(text, strlen(text));
    free(text);
}
