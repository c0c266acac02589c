/**
 * The server actions, as types: pages hand them to components as props, so no component imports a route.
 * Invariant: an action never throws at a person; it answers ActionResult with one clear sentence.
 */
import type { ProposedBatch } from './batch'
import type { Freed, KeepRule, Kept } from './keep'
import type { Alarm, AlarmQuiet } from './overview'
import type { ReplayJob } from './replay'
import type { DeletedRun, RunInput, RunPatch, RunSummary } from './run'
import type { ActionResult, ApplyInput, DraftInput, Override, Preview } from './steering'
import type { NewToken, TokenInput, TokenList } from './token'
import type { WebhookInput, WebhookSet, WebhookState } from './webhook'

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

/** Keeps an alarm quiet for everybody, or tells it again; it goes on being worked out. */
export type QuietAlarm = (run: string, alarm: string, quiet: AlarmQuiet) => Promise<ActionResult<Alarm[]>>

export type StartRun = (input: RunInput) => Promise<ActionResult<RunSummary>>

/** Replays the run's history beside the server's work; the same call again answers the one that runs. */
export type StartReplay = (run: string) => Promise<ActionResult<ReplayJob>>

/** Stops it; nothing of the run changes. */
export type CancelReplay = (run: string) => Promise<ActionResult<ReplayJob>>

/** Starts the demo trainer as a process of its own; answers the run once it has registered. */
export type StartDemo = () => Promise<ActionResult<{ run: string }>>

/** The answer holds the token's text, once. */
export type MakeToken = (input: TokenInput) => Promise<ActionResult<NewToken>>

/** Answers code "last_operate" and does nothing for the last one that may operate, unless `anyway`. */
export type RevokeToken = (token: string, anyway: boolean) => Promise<ActionResult<TokenList>>

/** Takes the rule and applies it at once. */
export type ChangeKeep = (run: string, rule: KeepRule) => Promise<ActionResult<Kept>>

/** Sets where alarms are told; the answer shows the secret, this once. */
export type SetWebhook = (run: string, input: WebhookInput) => Promise<ActionResult<WebhookSet>>
export type RemoveWebhook = (run: string) => Promise<ActionResult<WebhookState>>
/** Sends one delivery; the state tells how it went. */
export type TestWebhook = (run: string) => Promise<ActionResult<WebhookState>>

/** Drops all trajectory text of the run. */
export type DropText = (run: string) => Promise<ActionResult<Freed>>

/** `name` is what the person typed; it must be the run's. */
export type DeleteRun = (run: string, name: string) => Promise<ActionResult<DeletedRun>>
