'use server'
/* Steering by hand: preview a draft, apply it, undo a change. */
import { act } from '@/app/act'
import type { ApplyDraft, PreviewDraft, UndoOverride } from '@/lib/contract/action'
import { applyDraft as apply, undoOverride as undo } from '@/lib/service/apply-overrides'
import { previewDraft as preview } from '@/lib/service/preview-draft'

export const previewDraft: PreviewDraft = async (run, draft) =>
  act('view', ({ runtime, now }) => preview(runtime, run, draft, now))

export const applyDraft: ApplyDraft = async (run, input) =>
  act('operate', ({ runtime, who, now }) => apply(runtime, run, input, who, now))

export const undoOverride: UndoOverride = async (run, override, note) =>
  act('operate', ({ runtime, who, now }) => undo(runtime, run, override, note, who, now))
