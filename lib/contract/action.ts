/**
 * The server actions, as types: pages hand them to components as props, so no component imports a route.
 * Invariant: an action never throws at a person; it answers ActionResult with one clear sentence.
 */
import type { ProposedBatch } from './batch'
import type { ReplayJob } from './replay'
import type { RunInput, RunPatch, RunSummary } from './run'
import type { ActionResult, ApplyInput, DraftInput, Override, Preview } from './steering'

/** Chooses the next batch without issuing it; null size = as the newest batch. */
export type ProposeNext = (run: string, size: number | null) => Promise<ActionResult<ProposedBatch>>

/** The next batch under a draft beside the one without it. Writes nothing. */
export type PreviewDraft = (run: string, draft: DraftInput) => Promise<ActionResult<Preview>>

/**
 * Writes the draft as overrides. If the log moved since the preview, answers code "log_moved" and writes nothing,
 * unless `anyway` is set.
 */
export type ApplyDraft = (
  run: string,
  input: ApplyInput,
) => Promise<ActionResult<{ overrides: Override[]; fromBatch: number }>>

/** Undo is a new entry. */
export type UndoOverride = (run: string, override: string, note: string) => Promise<ActionResult<Override>>

export type PatchRun = (run: string, patch: RunPatch) => Promise<ActionResult<RunSummary>>

export type StartRun = (input: RunInput) => Promise<ActionResult<RunSummary>>

/** Replays the run's history beside the server's work; the same call again answers the one that runs. */
export type StartReplay = (run: string) => Promise<ActionResult<ReplayJob>>

/** Stops it; nothing of the run changes. */
export type CancelReplay = (run: string) => Promise<ActionResult<ReplayJob>>

/** Starts the demo trainer as a process of its own; answers the run once it has registered. */
export type StartDemo = () => Promise<ActionResult<{ run: string }>>
