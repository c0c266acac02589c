-- CreateTable
CREATE TABLE "Webhook" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "pages" TEXT NOT NULL,
    "setBy" TEXT NOT NULL,
    "setAt" REAL NOT NULL,
    "lastAt" REAL,
    "lastEvent" TEXT,
    "lastTries" INTEGER,
    "lastStatus" INTEGER,
    "lastError" TEXT,
    CONSTRAINT "Webhook_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
