'use client'
/* Owns the letter of an override above a time axis: hover says who, why, before and after; a press opens its before and after.
   Several joined letters open as a list. Must never know the chart under it. */
import { useId, useRef } from 'react'
import { placeFloating } from '@/components/ui/place-floating'
import { Tooltip } from '@/components/ui/tooltip'
import type { JoinedMarkers } from './chart-series'
import { useOverrideParam } from './use-override-param'

function Tips({ joined }: { joined: JoinedMarkers }) {
  return joined.markers.slice(0, 8).map((marker) => (
    <span key={marker.letter} className="block [&+&]:mt-2">
      {marker.tip}
    </span>
  ))
}

/** `left`: where it stands, 0 to 1 of the axis. */
export function OverrideFlag({ joined, left }: { joined: JoinedMarkers; left: number }) {
  const [, open] = useOverrideParam()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const overrides = joined.markers.flatMap(({ letter, override }) =>
    override === undefined ? [] : [{ letter, ...override }],
  )
  const only = overrides.length === 1 ? overrides[0] : undefined
  const style = { left: `${left * 100}%` }
  if (overrides.length === 0) {
    return (
      <span className="chart-flag" style={style}>
        <Tooltip content={<Tips joined={joined} />}>{joined.word}</Tooltip>
      </span>
    )
  }
  return (
    <span className="chart-flag" style={style}>
      <Tooltip focusable={false} content={<Tips joined={joined} />}>
        <button
          ref={button}
          type="button"
          aria-label={only === undefined ? `Overrides ${joined.word}` : `Override ${joined.word}: ${only.sentence}`}
          popoverTarget={only === undefined ? id : undefined}
          onClick={() => {
            if (only !== undefined) open(only.id)
          }}
        >
          {joined.word}
        </button>
      </Tooltip>
      {only === undefined && (
        <div
          ref={list}
          id={id}
          popover="auto"
          className="pop menu max-h-[320px] overflow-auto"
          onToggle={() => {
            if (button.current !== null && list.current?.matches(':popover-open')) {
              placeFloating(button.current, list.current, 'start')
            }
          }}
        >
          {overrides.map((one) => (
            <button
              key={one.id}
              type="button"
              onClick={() => {
                list.current?.hidePopover()
                open(one.id)
              }}
            >
              <b className="font-medium">{one.letter}</b>
              {one.sentence}
            </button>
          ))}
        </div>
      )}
    </span>
  )
}
