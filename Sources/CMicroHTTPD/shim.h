#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <microhttpd.h>

/* Swift cannot call variadic functions. */

/* Decodes the escapes of a URL in place. A zero byte would truncate the URL and change its meaning, so it is replaced by a
   byte that is invalid in UTF-8. */
static inline size_t chemopen_unescape(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    for (char *at = text; (at = strstr(at, "%00")); ) memcpy(at, "%ff", 3);
    return MHD_http_unescape(text);
}

/* Returns the maximum number of connections. The other descriptors are reserved for the served files. */
static inline unsigned chemopen_connection_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 400;
    rlim_t wanted = 8192;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur >= 2048 ? 1000 : limit.rlim_cur >= 512 ? (unsigned)limit.rlim_cur / 2 : 200;
}

/* Returns the socket of a connection, or -1. The next function returns the IPv4 address of the client, or 0. */
static inline int chemopen_connection_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline uint32_t chemopen_connection_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!info || !info->client_addr || info->client_addr->sa_family != AF_INET) return 0;
    return ((struct sockaddr_in *)info->client_addr)->sin_addr.s_addr;
}

/* Whether a connection was opened, not closed. */
static inline int chemopen_begins(enum MHD_ConnectionNotificationCode step)
{
    return step == MHD_CONNECTION_NOTIFY_STARTED;
}

/* Ends a connection, even if its thread is waiting for the client. */
static inline void chemopen_shut_down(int socket)
{
    shutdown(socket, SHUT_RDWR);
}

/* Starts a server on the loopback address, on a port that the system selects. */
static inline struct MHD_Daemon *chemopen_start_daemon(
    MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notice,
    void *context)
{
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL, answer, context,
        MHD_OPTION_UNESCAPE_CALLBACK, chemopen_unescape, NULL, MHD_OPTION_NOTIFY_CONNECTION, notice, context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_CONNECTION_LIMIT, chemopen_connection_limit(), MHD_OPTION_CONNECTION_TIMEOUT, 5u, MHD_OPTION_END);
}

/* Listens on a Unix socket that its owner and group can use. Removes the socket file of a server that is no longer running.
   Returns the descriptor, or -1 and sets errno: EADDRINUSE if a server already listens there. */
static inline int chemopen_listen_unix(const char *path)
{
    struct sockaddr_un address = {0};
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0) return -1;
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode)) {
        int trial = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int isThere = trial >= 0 && connect(trial, (struct sockaddr *)&address, sizeof address) == 0;
        if (trial >= 0) close(trial);
        if (!isThere) unlink(path);
    }
    mode_t mask = umask(0117);
    int failure = bind(listening, (struct sockaddr *)&address, sizeof address) != 0 || listen(listening, 511) != 0;
    int reason = errno;
    umask(mask);
    if (!failure) return listening;
    close(listening);
    errno = reason;
    return -1;
}

/* Listens on a port of the loopback address; the system selects the port if it is 0. Returns the descriptor, or -1 and sets
   errno. */
static inline int chemopen_listen_loopback(unsigned short port)
{
    struct sockaddr_in address = {0};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0) return -1;
    int yes = 1;
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) == 0 && listen(listening, 511) == 0) return listening;
    int reason = errno;
    close(listening);
    errno = reason;
    return -1;
}

/* Returns the port on which a descriptor listens; 0 if it is not an IPv4 socket. */
static inline unsigned chemopen_listening_port(int listening)
{
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    if (getsockname(listening, (struct sockaddr *)&address, &size) != 0 || address.sin_family != AF_INET) return 0;
    return ntohs(address.sin_port);
}

/* Starts a shared server on a listening descriptor. Connections stay open longer, because a proxy reuses them. */
static inline struct MHD_Daemon *chemopen_start_shared_daemon(
    int listening, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback notice, void *context)
{
    return MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL, answer, context,
        MHD_OPTION_UNESCAPE_CALLBACK, chemopen_unescape, NULL, MHD_OPTION_NOTIFY_CONNECTION, notice, context,
        MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)(1 << 20),
        MHD_OPTION_CONNECTION_LIMIT, chemopen_connection_limit(), MHD_OPTION_CONNECTION_TIMEOUT, 15u, MHD_OPTION_END);
}

static inline unsigned chemopen_daemon_port(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/* Blocks SIGTERM in this thread and in threads that it starts. The next function waits for the signal. */
static inline void chemopen_hold_termination(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static inline void chemopen_wait_for_termination(void)
{
    sigset_t signals;
    int number;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    while (sigwait(&signals, &number) != 0) continue;
}
