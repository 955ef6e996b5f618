"""Ask the site in this container whether it is well; the exit status is the answer.

Standard library only, so that asking costs next to nothing. The request looks like one that came
through the proxy: it names a host that the site answers to, and says that it was HTTPS.
"""

import http.client
import os
import sys

PATIENCE_S = 8


def main() -> int:
    """Return 0 when /healthz answers 200."""
    port = int(os.environ.get("PORT", "8000"))
    host = os.environ.get("BAZAAR_ALLOWED_HOSTS", "localhost").split(",")[0].strip()
    headers = {"Host": "localhost" if host == "*" else host.removeprefix(".")}
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        line.request("GET", "/healthz", headers={**headers, "X-Forwarded-Proto": "https"})
        answer = line.getresponse()
    except OSError as wrong:
        sys.stderr.write(f"no answer on port {port}: {wrong}\n")
        return 1
    finally:
        line.close()
    if answer.status != http.client.OK:
        sys.stderr.write(f"/healthz answers {answer.status}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
