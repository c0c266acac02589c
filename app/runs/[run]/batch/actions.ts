'use server'
/* The scheduler, run for a person: the next batch, not issued. */
import { act } from '@/app/act'
import type { ProposeNext } from '@/lib/contract/action'
import { proposeNext as propose } from '@/lib/service/next-batch'

export const proposeNext: ProposeNext = async (run, size) =>
  act('view', ({ runtime, now }) => propose(runtime, run, size, now))
