/* A run's address alone leads to its overview. */
import { redirect } from 'next/navigation'

export default async function RunPage({ params }: { params: Promise<{ run: string }> }) {
  const { run } = await params
  redirect(`/runs/${encodeURIComponent(run)}/overview`)
}
