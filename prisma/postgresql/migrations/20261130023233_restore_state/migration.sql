-- AlterTable
ALTER TABLE "Group" ADD COLUMN     "superseded" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Rollout" ADD COLUMN     "superseded" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Score" ADD COLUMN     "superseded" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "batchShift" INTEGER NOT NULL DEFAULT 0;
