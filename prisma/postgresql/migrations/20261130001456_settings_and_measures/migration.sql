-- AlterTable
ALTER TABLE "Group" ADD COLUMN     "shares" TEXT,
ADD COLUMN     "told" TEXT,
ADD COLUMN     "varianceNoise" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "keep" TEXT,
ADD COLUMN     "sweptAt" DOUBLE PRECISION;

-- AlterTable
ALTER TABLE "Token" ADD COLUMN     "expiresAt" DOUBLE PRECISION,
ADD COLUMN     "lastFrom" TEXT,
ADD COLUMN     "madeBy" TEXT NOT NULL DEFAULT 'unknown';

-- CreateTable
CREATE TABLE "DiskSample" (
    "at" DOUBLE PRECISION NOT NULL,
    "bytes" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "DiskSample_pkey" PRIMARY KEY ("at")
);
