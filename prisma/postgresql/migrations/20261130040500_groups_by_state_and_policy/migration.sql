-- CreateIndex
CREATE INDEX "Group_runId_state_policyVersion_idx" ON "Group"("runId", "state", "policyVersion");
