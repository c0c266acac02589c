'use client'
/* Owns the small drop area of the Runs page: what is dropped goes on at Import. */
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { ImportDrop } from '@/components/import/import-drop'

export function ImportFiles() {
  const router = useRouter()
  return (
    <>
      <ImportDrop ask={false} replay onStarted={(id) => router.push(`/import?import=${encodeURIComponent(id)}`)} />
      <p className="mt-[10px] text-12 text-ink-3">
        Files stay on this machine. Rollouts become a run in shadow mode: what was predicted before each group came
        back. <Link href="/import">Imports so far</Link>
      </p>
    </>
  )
}
