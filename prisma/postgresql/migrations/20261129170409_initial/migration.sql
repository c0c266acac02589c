-- CreateTable
CREATE TABLE "TaskSet" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "createdAt" DOUBLE PRECISION NOT NULL,
    "environmentCount" INTEGER NOT NULL,
    "taskCount" INTEGER NOT NULL,
    "toolCount" INTEGER NOT NULL,
    "withinEdges" INTEGER NOT NULL,
    "crossEdges" INTEGER NOT NULL,
    "patternCount" INTEGER NOT NULL,
    "graphVersion" INTEGER NOT NULL,

    CONSTRAINT "TaskSet_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Environment" (
    "taskSetId" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "definition" TEXT NOT NULL,
    "taskCount" INTEGER NOT NULL,
    "x" DOUBLE PRECISION NOT NULL,
    "y" DOUBLE PRECISION NOT NULL,
    "radius" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "Environment_pkey" PRIMARY KEY ("taskSetId","ordinal")
);

-- CreateTable
CREATE TABLE "Task" (
    "taskSetId" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "environment" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "contentHash" TEXT NOT NULL,
    "text" TEXT,
    "tools" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "checks" TEXT NOT NULL,
    "payload" TEXT,
    "pattern" TEXT NOT NULL,
    "x" DOUBLE PRECISION NOT NULL,
    "y" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "Task_pkey" PRIMARY KEY ("taskSetId","ordinal")
);

-- CreateTable
CREATE TABLE "Edge" (
    "taskSetId" TEXT NOT NULL,
    "graphVersion" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "source" INTEGER NOT NULL,
    "target" INTEGER NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "Edge_pkey" PRIMARY KEY ("taskSetId","graphVersion","source","target","kind")
);

-- CreateTable
CREATE TABLE "Run" (
    "id" TEXT NOT NULL,
    "key" TEXT,
    "name" TEXT NOT NULL,
    "taskSetId" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "statusNote" TEXT,
    "seed" TEXT NOT NULL,
    "config" TEXT NOT NULL,
    "plannedSteps" INTEGER,
    "model" TEXT,
    "algorithm" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "policyVersion" INTEGER,
    "batchCount" INTEGER NOT NULL DEFAULT 0,
    "leaseCount" INTEGER NOT NULL DEFAULT 0,
    "groupCount" INTEGER NOT NULL DEFAULT 0,
    "overrideCount" INTEGER NOT NULL DEFAULT 0,
    "logSeq" INTEGER NOT NULL DEFAULT 0,
    "rolloutCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DOUBLE PRECISION NOT NULL,
    "firstReportAt" DOUBLE PRECISION,
    "lastReportAt" DOUBLE PRECISION,
    "reportGaps" TEXT NOT NULL,
    "finishedAt" DOUBLE PRECISION,

    CONSTRAINT "Run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LogEntry" (
    "runId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,
    "payload" TEXT NOT NULL,
    "superseded" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "LogEntry_pkey" PRIMARY KEY ("runId","seq")
);

-- CreateTable
CREATE TABLE "Snapshot" (
    "runId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "Snapshot_pkey" PRIMARY KEY ("runId","seq")
);

-- CreateTable
CREATE TABLE "Batch" (
    "runId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "requestId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,
    "policyVersion" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "groupSize" INTEGER NOT NULL,
    "record" TEXT NOT NULL,
    "superseded" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Batch_pkey" PRIMARY KEY ("runId","index")
);

-- CreateTable
CREATE TABLE "Pick" (
    "runId" TEXT NOT NULL,
    "batch" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "task" INTEGER NOT NULL,
    "slot" TEXT NOT NULL,
    "lease" INTEGER NOT NULL,
    "record" TEXT NOT NULL,

    CONSTRAINT "Pick_pkey" PRIMARY KEY ("runId","batch","position")
);

-- CreateTable
CREATE TABLE "Lease" (
    "runId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "batch" INTEGER NOT NULL,
    "task" INTEGER NOT NULL,
    "slot" TEXT NOT NULL,
    "groupSize" INTEGER NOT NULL,
    "policyVersion" INTEGER NOT NULL,
    "issuedAt" DOUBLE PRECISION NOT NULL,
    "expiresAt" DOUBLE PRECISION NOT NULL,
    "state" TEXT NOT NULL,

    CONSTRAINT "Lease_pkey" PRIMARY KEY ("runId","number")
);

-- CreateTable
CREATE TABLE "Group" (
    "runId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "lease" INTEGER,
    "batch" INTEGER,
    "slot" TEXT,
    "task" INTEGER NOT NULL,
    "policyVersion" INTEGER NOT NULL,
    "late" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "completedOrder" INTEGER,
    "logSeq" INTEGER,
    "returned" INTEGER NOT NULL,
    "trusted" INTEGER NOT NULL,
    "sum" DOUBLE PRECISION NOT NULL,
    "sumSquares" DOUBLE PRECISION NOT NULL,
    "low" INTEGER NOT NULL,
    "high" INTEGER NOT NULL,
    "untrusted" INTEGER NOT NULL,
    "verifierErrors" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,
    "statuses" TEXT NOT NULL,
    "secondsSum" DOUBLE PRECISION NOT NULL,
    "secondsCount" INTEGER NOT NULL,
    "turnsSum" DOUBLE PRECISION NOT NULL,
    "turnsCount" INTEGER NOT NULL,
    "tokensSum" DOUBLE PRECISION NOT NULL,
    "tokensCount" INTEGER NOT NULL,
    "mean" DOUBLE PRECISION,
    "realisedVariance" DOUBLE PRECISION,
    "informative" BOOLEAN,
    "predictedVariance" DOUBLE PRECISION,
    "ability" DOUBLE PRECISION,
    "deviation" DOUBLE PRECISION,
    "spread" DOUBLE PRECISION,
    "informativeProbability" DOUBLE PRECISION,
    "completedAt" DOUBLE PRECISION,

    CONSTRAINT "Group_pkey" PRIMARY KEY ("runId","number")
);

-- CreateTable
CREATE TABLE "Rollout" (
    "runId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "group" INTEGER NOT NULL,
    "lease" INTEGER,
    "batch" INTEGER,
    "environment" INTEGER NOT NULL,
    "task" INTEGER NOT NULL,
    "policyVersion" INTEGER NOT NULL,
    "reward" DOUBLE PRECISION,
    "outcome" DOUBLE PRECISION,
    "value" DOUBLE PRECISION,
    "status" TEXT NOT NULL,
    "trusted" BOOLEAN NOT NULL,
    "distrust" TEXT,
    "turns" INTEGER,
    "tokens" INTEGER,
    "seconds" DOUBLE PRECISION,
    "tools" TEXT,
    "components" TEXT,
    "error" TEXT,
    "worker" TEXT,
    "at" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "Rollout_pkey" PRIMARY KEY ("runId","id")
);

-- CreateTable
CREATE TABLE "Trajectory" (
    "runId" TEXT NOT NULL,
    "rolloutId" TEXT NOT NULL,
    "messages" TEXT NOT NULL,

    CONSTRAINT "Trajectory_pkey" PRIMARY KEY ("runId","rolloutId")
);

-- CreateTable
CREATE TABLE "PredictionBlob" (
    "runId" TEXT NOT NULL,
    "batch" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "PredictionBlob_pkey" PRIMARY KEY ("runId","batch")
);

-- CreateTable
CREATE TABLE "Override" (
    "runId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "fromBatch" INTEGER NOT NULL,
    "change" TEXT NOT NULL,
    "batches" INTEGER,
    "note" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,
    "before" TEXT NOT NULL,
    "after" TEXT NOT NULL,
    "lifts" INTEGER,
    "undoneBy" INTEGER,
    "superseded" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Override_pkey" PRIMARY KEY ("runId","number")
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "id" SERIAL NOT NULL,
    "runId" TEXT,
    "at" DOUBLE PRECISION NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "detail" TEXT NOT NULL,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Alarm" (
    "runId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "environment" INTEGER,
    "severity" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "sentence" TEXT NOT NULL,
    "since" INTEGER NOT NULL,
    "acknowledgedBy" TEXT,
    "snoozedUntil" DOUBLE PRECISION,
    "endedAt" DOUBLE PRECISION,

    CONSTRAINT "Alarm_pkey" PRIMARY KEY ("runId","key")
);

-- CreateTable
CREATE TABLE "Score" (
    "runId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "policyVersion" INTEGER NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "Score_pkey" PRIMARY KEY ("runId","name","policyVersion")
);

-- CreateTable
CREATE TABLE "Token" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" DOUBLE PRECISION NOT NULL,
    "lastUsedAt" DOUBLE PRECISION,
    "revokedAt" DOUBLE PRECISION,

    CONSTRAINT "Token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ImportJob" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "format" TEXT,
    "done" DOUBLE PRECISION NOT NULL,
    "total" DOUBLE PRECISION,
    "unit" TEXT NOT NULL,
    "startedAt" DOUBLE PRECISION NOT NULL,
    "updatedAt" DOUBLE PRECISION NOT NULL,
    "report" TEXT NOT NULL,
    "taskSetId" TEXT,
    "runId" TEXT,
    "error" TEXT,

    CONSTRAINT "ImportJob_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "TaskSet_fingerprint_key" ON "TaskSet"("fingerprint");

-- CreateIndex
CREATE INDEX "TaskSet_createdAt_idx" ON "TaskSet"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Environment_taskSetId_key_key" ON "Environment"("taskSetId", "key");

-- CreateIndex
CREATE INDEX "Task_taskSetId_pattern_idx" ON "Task"("taskSetId", "pattern");

-- CreateIndex
CREATE UNIQUE INDEX "Task_taskSetId_environment_key_key" ON "Task"("taskSetId", "environment", "key");

-- CreateIndex
CREATE INDEX "Edge_taskSetId_graphVersion_target_idx" ON "Edge"("taskSetId", "graphVersion", "target");

-- CreateIndex
CREATE INDEX "Run_createdAt_idx" ON "Run"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Run_taskSetId_key_key" ON "Run"("taskSetId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Batch_runId_epoch_requestId_key" ON "Batch"("runId", "epoch", "requestId");

-- CreateIndex
CREATE INDEX "Pick_runId_task_batch_idx" ON "Pick"("runId", "task", "batch");

-- CreateIndex
CREATE INDEX "Lease_runId_state_expiresAt_idx" ON "Lease"("runId", "state", "expiresAt");

-- CreateIndex
CREATE INDEX "Lease_runId_batch_idx" ON "Lease"("runId", "batch");

-- CreateIndex
CREATE INDEX "Group_runId_lease_idx" ON "Group"("runId", "lease");

-- CreateIndex
CREATE INDEX "Group_runId_task_policyVersion_idx" ON "Group"("runId", "task", "policyVersion");

-- CreateIndex
CREATE INDEX "Group_runId_batch_idx" ON "Group"("runId", "batch");

-- CreateIndex
CREATE INDEX "Group_runId_state_completedOrder_idx" ON "Group"("runId", "state", "completedOrder");

-- CreateIndex
CREATE INDEX "Group_runId_logSeq_idx" ON "Group"("runId", "logSeq");

-- CreateIndex
CREATE INDEX "Rollout_runId_group_seq_idx" ON "Rollout"("runId", "group", "seq");

-- CreateIndex
CREATE INDEX "Rollout_runId_task_seq_idx" ON "Rollout"("runId", "task", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "Rollout_runId_seq_key" ON "Rollout"("runId", "seq");

-- CreateIndex
CREATE INDEX "AuditEvent_runId_id_idx" ON "AuditEvent"("runId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Token_hash_key" ON "Token"("hash");

-- CreateIndex
CREATE INDEX "ImportJob_startedAt_idx" ON "ImportJob"("startedAt");

-- AddForeignKey
ALTER TABLE "Environment" ADD CONSTRAINT "Environment_taskSetId_fkey" FOREIGN KEY ("taskSetId") REFERENCES "TaskSet"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Task" ADD CONSTRAINT "Task_taskSetId_fkey" FOREIGN KEY ("taskSetId") REFERENCES "TaskSet"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Edge" ADD CONSTRAINT "Edge_taskSetId_fkey" FOREIGN KEY ("taskSetId") REFERENCES "TaskSet"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_taskSetId_fkey" FOREIGN KEY ("taskSetId") REFERENCES "TaskSet"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LogEntry" ADD CONSTRAINT "LogEntry_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Snapshot" ADD CONSTRAINT "Snapshot_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Batch" ADD CONSTRAINT "Batch_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Pick" ADD CONSTRAINT "Pick_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Lease" ADD CONSTRAINT "Lease_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Group" ADD CONSTRAINT "Group_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Rollout" ADD CONSTRAINT "Rollout_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PredictionBlob" ADD CONSTRAINT "PredictionBlob_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Override" ADD CONSTRAINT "Override_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditEvent" ADD CONSTRAINT "AuditEvent_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Alarm" ADD CONSTRAINT "Alarm_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Score" ADD CONSTRAINT "Score_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImportJob" ADD CONSTRAINT "ImportJob_taskSetId_fkey" FOREIGN KEY ("taskSetId") REFERENCES "TaskSet"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImportJob" ADD CONSTRAINT "ImportJob_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("id") ON DELETE SET NULL ON UPDATE CASCADE;
