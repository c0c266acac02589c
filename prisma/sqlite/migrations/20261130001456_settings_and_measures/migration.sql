-- AlterTable
ALTER TABLE "Group" ADD COLUMN "shares" TEXT;
ALTER TABLE "Group" ADD COLUMN "told" TEXT;
ALTER TABLE "Group" ADD COLUMN "varianceNoise" REAL;

-- AlterTable
ALTER TABLE "Run" ADD COLUMN "keep" TEXT;
ALTER TABLE "Run" ADD COLUMN "sweptAt" REAL;

-- CreateTable
CREATE TABLE "DiskSample" (
    "at" REAL NOT NULL PRIMARY KEY,
    "bytes" REAL NOT NULL
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Token" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "madeBy" TEXT NOT NULL DEFAULT 'unknown',
    "createdAt" REAL NOT NULL,
    "expiresAt" REAL,
    "lastUsedAt" REAL,
    "lastFrom" TEXT,
    "revokedAt" REAL
);
INSERT INTO "new_Token" ("createdAt", "hash", "id", "lastUsedAt", "name", "revokedAt", "scope") SELECT "createdAt", "hash", "id", "lastUsedAt", "name", "revokedAt", "scope" FROM "Token";
DROP TABLE "Token";
ALTER TABLE "new_Token" RENAME TO "Token";
CREATE UNIQUE INDEX "Token_hash_key" ON "Token"("hash");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
