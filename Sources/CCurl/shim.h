#include <curl/curl.h>

/* Swift cannot call variadic functions. */

static inline CURLcode chemopen_set_number(CURL *handle, CURLoption option, long value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode chemopen_set_text(CURL *handle, CURLoption option, const char *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode chemopen_set_list(CURL *handle, CURLoption option, struct curl_slist *value)
{
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*chemopen_take)(char *bytes, size_t size, size_t count, void *context);
typedef int (*chemopen_tick)(void *context, curl_off_t total, curl_off_t now, curl_off_t unused, curl_off_t none);
typedef int (*chemopen_connected)(void *context, char *remote, char *local, int remote_port, int local_port);

static inline void chemopen_set_takers(
    CURL *handle, chemopen_take header, chemopen_take body, chemopen_tick tick, chemopen_connected connected,
    void *context)
{
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, tick);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, connected);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
}

static inline long chemopen_get_number(CURL *handle, CURLINFO info)
{
    long value = 0;
    curl_easy_getinfo(handle, info, &value);
    return value;
}

static inline const char *chemopen_get_text(CURL *handle, CURLINFO info)
{
    char *value = NULL;
    curl_easy_getinfo(handle, info, &value);
    return value;
}
