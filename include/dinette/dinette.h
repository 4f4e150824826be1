/* Dinette for C: an empty DynamoDB in memory, in the process of its user. dinette/embedded.h is the same for
 * C++. */

#ifndef DINETTE_DINETTE_H
#define DINETTE_DINETTE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A service with tables and a clock of its own. All functions may be called from several threads at once for
 * the same service, except dinette_serve, dinette_stop and dinette_close. None of them throws or ends the
 * process; what cannot be had for want of memory or threads is reported as said at each. */
typedef struct dinette_service dinette_service;

/* Opens an empty service. Close it with dinette_close. Returns NULL if memory is exhausted. */
dinette_service* dinette_open(void);

/* Stops serving and frees the service. No other call for it may be under way. `service` may be NULL. */
void dinette_close(dinette_service* service);

/* Calls an operation of DynamoDB or DynamoDB Streams, such as "PutItem", with its input as JSON. Both texts
 * end with a zero byte. Returns the HTTP status: 200, or that of the error. `*reply` becomes the output, or
 * the error, as JSON, which the caller frees with dinette_free; NULL if not wanted. Returns 0 if memory is
 * exhausted; `*reply` is then NULL. */
int dinette_call(dinette_service* service, const char* operation, const char* json, char** reply);

/* Frees a text that a function has returned. `text` may be NULL. */
void dinette_free(char* text);

/* Returns what the clock shows, in microseconds since 1970: real time until the clock is changed. */
int64_t dinette_now(dinette_service* service);

/* Sets the clock, which goes on from there, or moves it by a step, which may be negative. Before they return,
 * all that falls due by then has happened. Return 1, or 0 and change nothing if the time would not be in the
 * years 1970 to 9999. */
int dinette_set_time(dinette_service* service, int64_t microseconds_since_1970);
int dinette_advance(dinette_service* service, int64_t microseconds);

/* Stops the clock (1) or lets it go on (0). */
void dinette_freeze(dinette_service* service, int frozen);

/* Drops all tables, and sets the clock to real time. */
void dinette_reset(dinette_service* service);

/* Serves HTTP on 127.0.0.1 and ::1 until dinette_stop; port 0 picks a free one. Returns the port, or 0;
 * `*error` then becomes a sentence that says why, which the caller frees with dinette_free; NULL if not
 * wanted. */
uint16_t dinette_serve(dinette_service* service, uint16_t port, char** error);

/* Stops serving, when the requests in progress are answered. The tables stay. */
void dinette_stop(dinette_service* service);

#ifdef __cplusplus
}
#endif

#endif
