-- CreateTable
CREATE TABLE "Webhook" (
    "runId" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "pages" TEXT NOT NULL,
    "setBy" TEXT NOT NULL,
    "setAt" DOUBLE PRECISION NOT NULL,
    "lastAt" DOUBLE PRECISION,
    "lastEvent" TEXT,
    "lastTries" INTEGER,
    "lastStatus" INTEGER,
    "lastError" TEXT,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("runId")
);

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;
