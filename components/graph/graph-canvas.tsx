'use client'
/* Owns that the drawing is loaded in the browser only: Sigma needs a window when it is imported. */
import dynamic from 'next/dynamic'

export const GraphCanvas = dynamic(() => import('./graph-stage').then(({ GraphStage }) => GraphStage), { ssr: false })
