'use client'
/* Owns the query client of the page. Keeps what is on the screen while it asks again; never asks all at once because a window got the focus. */
import { keepPreviousData, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { RequestError } from '@/lib/client/request'

// What the server refused stays refused; what could not be reached is tried again.
function mayRetry(failures: number, error: Error): boolean {
  if (error instanceof RequestError && error.status >= 400 && error.status < 500) return false
  return failures < 3
}

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            retry: mayRetry,
            placeholderData: keepPreviousData,
            refetchOnWindowFocus: false,
            staleTime: 30_000,
          },
        },
      }),
  )
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
