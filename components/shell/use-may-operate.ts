'use client'
/* Owns whether who is signed in may steer. null until the server has answered; the server checks again on each action. */
import { useQuery } from '@tanstack/react-query'
import { serverQuery } from '@/lib/client/run'

export function useMayOperate(): boolean | null {
  const { data } = useQuery(serverQuery())
  return data === undefined ? null : data.scope === 'operate'
}
