'use client'
/* Owns the line that confirms what a person did, bottom right, for eight seconds; an error stays until it is closed. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { Button, IconButton } from './button'
import { Icon } from './icon'

interface ToastMessage {
  tone: 'ok' | 'bad'
  text: string
  action?: { label: string; run: () => void }
}

type Shown = ToastMessage & { id: number }

const ToastContext = createContext<(message: ToastMessage) => void>(() => undefined)

/** Shows a toast; call from an event, never while rendering. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext)
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([])
  const next = useRef(0)
  const drop = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), [])
  const push = useCallback(
    (message: ToastMessage) => {
      next.current += 1
      const id = next.current
      setShown((all) => [...all.slice(-2), { ...message, id }])
      if (message.tone === 'ok') setTimeout(() => drop(id), 8000)
    },
    [drop],
  )
  const value = useMemo(() => push, [push])
  return (
    <ToastContext.Provider value={value}>
      {children}
      <div className="toasts" role="status">
        {shown.map((toast) => (
          <div key={toast.id} className="pop toast">
            <Icon
              name={toast.tone === 'ok' ? 'check' : 'error'}
              className={toast.tone === 'ok' ? 'text-ok' : 'text-bad'}
            />
            <span>{toast.text}</span>
            {toast.action !== undefined && (
              <Button
                size="small"
                onClick={() => {
                  toast.action?.run()
                  drop(toast.id)
                }}
              >
                {toast.action.label}
              </Button>
            )}
            <IconButton icon="close" kind="quiet" size="small" label="Close" onClick={() => drop(toast.id)} />
          </div>
        ))}
      </div>
    </ToastContext.Provider>
  )
}
