#include <stddef.h>
#include <wayland-client.h>

/*
 * The interfaces of protocols that libwayland does not contain, as wl_interface(3) tables: a name and a signature for each
 * request and event. Their order must match the protocol's description, because it determines their numbers.
 *
 *     ext-data-control-v1, wlr-data-control-unstable-v1    a clipboard without a window; only the names differ
 *     xdg-shell                                            a window, for clipboards that require the keyboard focus
 */

#define CHEMOPEN_DATA_CONTROL(prefix, manager_name, device_name, source_name, offer_name)                              \
    static const struct wl_interface prefix##_offer;                                                                   \
    static const struct wl_interface prefix##_source;                                                                  \
    static const struct wl_interface prefix##_device;                                                                  \
    static const struct wl_interface *prefix##_none[] = {NULL, NULL};                                            \
    static const struct wl_interface *prefix##_makes_source[] = {&prefix##_source};                              \
    static const struct wl_interface *prefix##_makes_device[] = {&prefix##_device, &wl_seat_interface};          \
    static const struct wl_interface *prefix##_takes_source[] = {&prefix##_source};                              \
    static const struct wl_interface *prefix##_takes_offer[] = {&prefix##_offer};                                \
    static const struct wl_message prefix##_manager_requests[] = {{"create_data_source", "n", prefix##_makes_source},  \
                                                                  {"get_data_device", "no", prefix##_makes_device},    \
                                                                  {"destroy", "", prefix##_none}};                     \
    static const struct wl_message prefix##_device_requests[] = {{"set_selection", "?o", prefix##_takes_source},       \
                                                                 {"destroy", "", prefix##_none},                       \
                                                                 {"set_primary_selection", "?o", prefix##_takes_source}}; \
    static const struct wl_message prefix##_device_events[] = {{"data_offer", "n", prefix##_takes_offer},              \
                                                               {"selection", "?o", prefix##_takes_offer},              \
                                                               {"finished", "", prefix##_none},                        \
                                                               {"primary_selection", "?o", prefix##_takes_offer}};     \
    static const struct wl_message prefix##_source_requests[] = {{"offer", "s", prefix##_none},                        \
                                                                 {"destroy", "", prefix##_none}};                      \
    static const struct wl_message prefix##_source_events[] = {{"send", "sh", prefix##_none},                          \
                                                               {"cancelled", "", prefix##_none}};                      \
    static const struct wl_message prefix##_offer_requests[] = {{"receive", "sh", prefix##_none},                      \
                                                                {"destroy", "", prefix##_none}};                       \
    static const struct wl_message prefix##_offer_events[] = {{"offer", "s", prefix##_none}};                          \
    static const struct wl_interface prefix##_manager = {manager_name, 2, 3, prefix##_manager_requests, 0, NULL};      \
    static const struct wl_interface prefix##_device = {device_name,           2, 3, prefix##_device_requests, 4,      \
                                                        prefix##_device_events};                                       \
    static const struct wl_interface prefix##_source = {source_name,           2, 2, prefix##_source_requests, 2,      \
                                                        prefix##_source_events};                                       \
    static const struct wl_interface prefix##_offer = {offer_name, 2, 2, prefix##_offer_requests, 1,                   \
                                                       prefix##_offer_events};

CHEMOPEN_DATA_CONTROL(chemopen_ext, "ext_data_control_manager_v1", "ext_data_control_device_v1",
                      "ext_data_control_source_v1", "ext_data_control_offer_v1")
CHEMOPEN_DATA_CONTROL(chemopen_wlr, "zwlr_data_control_manager_v1", "zwlr_data_control_device_v1",
                      "zwlr_data_control_source_v1", "zwlr_data_control_offer_v1")

static const struct wl_interface chemopen_xdg_surface;
static const struct wl_interface chemopen_xdg_toplevel;
static const struct wl_interface *chemopen_xdg_none[] = {NULL, NULL, NULL, NULL};
static const struct wl_interface *chemopen_xdg_makes_surface[] = {&chemopen_xdg_surface, &wl_surface_interface};
static const struct wl_interface *chemopen_xdg_makes_toplevel[] = {&chemopen_xdg_toplevel};
/* The requests and events of a simple window. Unused ones are listed only to preserve the numbers of the others. */
static const struct wl_message chemopen_xdg_shell_requests[] = {{"destroy", "", chemopen_xdg_none},
                                                                {"create_positioner", "n", chemopen_xdg_none},
                                                                {"get_xdg_surface", "no", chemopen_xdg_makes_surface},
                                                                {"pong", "u", chemopen_xdg_none}};
static const struct wl_message chemopen_xdg_shell_events[] = {{"ping", "u", chemopen_xdg_none}};
static const struct wl_message chemopen_xdg_surface_requests[] = {
    {"destroy", "", chemopen_xdg_none},
    {"get_toplevel", "n", chemopen_xdg_makes_toplevel},
    {"get_popup", "n?oo", chemopen_xdg_none},
    {"set_window_geometry", "iiii", chemopen_xdg_none},
    {"ack_configure", "u", chemopen_xdg_none}};
static const struct wl_message chemopen_xdg_surface_events[] = {{"configure", "u", chemopen_xdg_none}};
static const struct wl_message chemopen_xdg_toplevel_requests[] = {{"destroy", "", chemopen_xdg_none},
                                                                   {"set_parent", "?o", chemopen_xdg_none},
                                                                   {"set_title", "s", chemopen_xdg_none}};
static const struct wl_message chemopen_xdg_toplevel_events[] = {{"configure", "iia", chemopen_xdg_none},
                                                                 {"close", "", chemopen_xdg_none}};
static const struct wl_interface chemopen_xdg_shell = {
    "xdg_wm_base", 1, 4, chemopen_xdg_shell_requests, 1, chemopen_xdg_shell_events};
static const struct wl_interface chemopen_xdg_surface = {
    "xdg_surface", 1, 5, chemopen_xdg_surface_requests, 1, chemopen_xdg_surface_events};
static const struct wl_interface chemopen_xdg_toplevel = {
    "xdg_toplevel", 1, 3, chemopen_xdg_toplevel_requests, 2, chemopen_xdg_toplevel_events};

/* Swift would pass the address of a copy, so interfaces are selected by number. */
enum chemopen_interface {
    chemopen_of_registry,
    chemopen_of_seat,
    chemopen_of_keyboard,
    chemopen_of_compositor,
    chemopen_of_surface,
    chemopen_of_shm,
    chemopen_of_pool,
    chemopen_of_buffer,
    chemopen_of_callback,
    chemopen_of_plain_manager,
    chemopen_of_plain_device,
    chemopen_of_plain_source,
    chemopen_of_plain_offer,
    chemopen_of_ext_manager,
    chemopen_of_ext_device,
    chemopen_of_ext_source,
    chemopen_of_wlr_manager,
    chemopen_of_wlr_device,
    chemopen_of_wlr_source,
    chemopen_of_xdg_shell,
    chemopen_of_xdg_surface,
    chemopen_of_xdg_toplevel
};

static inline const struct wl_interface *chemopen_interface(enum chemopen_interface which)
{
    switch (which) {
    case chemopen_of_registry: return &wl_registry_interface;
    case chemopen_of_seat: return &wl_seat_interface;
    case chemopen_of_keyboard: return &wl_keyboard_interface;
    case chemopen_of_compositor: return &wl_compositor_interface;
    case chemopen_of_surface: return &wl_surface_interface;
    case chemopen_of_shm: return &wl_shm_interface;
    case chemopen_of_pool: return &wl_shm_pool_interface;
    case chemopen_of_buffer: return &wl_buffer_interface;
    case chemopen_of_callback: return &wl_callback_interface;
    case chemopen_of_plain_manager: return &wl_data_device_manager_interface;
    case chemopen_of_plain_device: return &wl_data_device_interface;
    case chemopen_of_plain_source: return &wl_data_source_interface;
    case chemopen_of_plain_offer: return &wl_data_offer_interface;
    case chemopen_of_ext_manager: return &chemopen_ext_manager;
    case chemopen_of_ext_device: return &chemopen_ext_device;
    case chemopen_of_ext_source: return &chemopen_ext_source;
    case chemopen_of_wlr_manager: return &chemopen_wlr_manager;
    case chemopen_of_wlr_device: return &chemopen_wlr_device;
    case chemopen_of_wlr_source: return &chemopen_wlr_source;
    case chemopen_of_xdg_shell: return &chemopen_xdg_shell;
    case chemopen_of_xdg_surface: return &chemopen_xdg_surface;
    case chemopen_of_xdg_toplevel: return &chemopen_xdg_toplevel;
    }
    return NULL;
}
