'use client'
/* Owns the place in a panel's head where what is inside the panel may put an action of its own, such as a table its columns. */
import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

export const PanelActsContext = createContext<HTMLElement | null>(null)

/** Shows its children in the head of the panel around it; without a panel, nothing. */
export function PanelAct({ children }: { children: ReactNode }) {
  const place = useContext(PanelActsContext)
  return place === null ? null : createPortal(children, place)
}
