-- AlterTable
ALTER TABLE "Group" ADD COLUMN     "boughtBy" TEXT,
ADD COLUMN     "decidedBy" TEXT,
ADD COLUMN     "firstStage" INTEGER,
ADD COLUMN     "restStage" INTEGER,
ADD COLUMN     "secondStage" INTEGER;
