/// libpq, PostgreSQL's client library (Debian: libpq-dev), and the addresses of hosts.
#include <libpq-fe.h>
#include <netdb.h>
