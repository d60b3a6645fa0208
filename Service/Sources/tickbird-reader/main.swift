// Reads strangers' documents for tickbird-host, in a sandbox: see `Documentation/StrangersData.md`.

import SharedLinks

DocumentProcess.run()
