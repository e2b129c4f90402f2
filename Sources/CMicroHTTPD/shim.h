#include <netinet/in.h>
#include <microhttpd.h>

/* Functions that take any number of arguments cannot be called from Swift. */

/* Starts a server on a port of the loopback address that the system chooses. */
static inline struct MHD_Daemon *chemopen_start_daemon(
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed, void *context)
{
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        /* Whoever connects and asks nothing must not keep others out: many have room, and none stays long. */
        MHD_OPTION_CONNECTION_LIMIT, 500u, MHD_OPTION_CONNECTION_TIMEOUT, 5u, MHD_OPTION_END);
}

static inline unsigned chemopen_daemon_port(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}
