/** Draws a timeline with uPlot. Dragging over it selects a range. */
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { Timeline } from '../../api/timeline.ts';
import { formatAxisTimes } from './axis-times.ts';

const heightPixels = 168;

export interface TimelineProps {
  readonly timeline: Timeline;
  /** The reader has selected a range. */
  readonly onSelect: (sinceMs: number, untilMs: number) => void;
}

export interface TimelineCanvasProps extends TimelineProps {
  /** The index of the selected interval. */
  readonly place: number | undefined;
  readonly onPlace: (place: number | undefined) => void;
}

export function TimelineCanvas({ timeline, onSelect, place, onPlace }: TimelineCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const told = useRef<Told>({ onSelect, onPlace });
  const drawn = useRef<uPlot>(undefined);
  useEffect(() => {
    told.current = { onSelect, onPlace };
  });
  useEffect(() => {
    const element = frame.current!;
    let plot = draw(element, timeline, told);
    drawn.current = plot;
    const redraw = (): void => {
      plot.destroy();
      plot = draw(element, timeline, told);
      drawn.current = plot;
    };
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: heightPixels }),
    );
    resized.observe(element);
    const themed = new MutationObserver(redraw);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    return () => {
      resized.disconnect();
      themed.disconnect();
      scheme.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [timeline]);
  useEffect(() => {
    const start = place === undefined ? undefined : timeline.stretches[place]?.startMs;
    const left =
      start === undefined ? -10 : drawn.current!.valToPos((start + timeline.stretchMs / 2) / 1000, 'x');
    // The pointer has already moved the cursor there.
    if (drawn.current!.cursor.idx !== place) drawn.current!.setCursor({ left, top: 0 }, false);
  }, [place, timeline]);
  return <div ref={frame} />;
}

type Told = Pick<TimelineCanvasProps, 'onSelect' | 'onPlace'>;

function draw(element: HTMLElement, timeline: Timeline, told: { readonly current: Told }): uPlot {
  const { stretches, stretchMs } = timeline;
  const readColor = createColorReader(element);
  const axis = {
    stroke: readColor('--text-soft'),
    grid: { stroke: readColor('--line'), width: 1 },
    ticks: { show: false },
  };
  const drawnSeries = createSeries(timeline, readColor);
  const first = stretches[0]!.startMs / 1000;
  const end = stretches.at(-1)!.startMs / 1000 + stretchMs / 1000;
  return new uPlot(
    {
      width: element.clientWidth,
      height: heightPixels,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
      scales: { x: { range: [first, end] }, y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
      axes: [
        {
          ...axis,
          space: 72,
          values: (_plot, splits, _axis, _space, step) => [...formatAxisTimes(splits, step)],
        },
        { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6] },
      ],
      series: [{}, ...drawnSeries.map(({ look }) => look)],
      hooks: {
        setCursor: [createCursorHook(told)],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            if (width < 4) return;
            const sinceMs = plot.posToVal(left, 'x') * 1000;
            const untilMs = plot.posToVal(left + width, 'x') * 1000;
            // Whole intervals, so that the data matches the selection.
            told.current.onSelect(
              Math.floor(sinceMs / stretchMs) * stretchMs,
              Math.ceil(untilMs / stretchMs) * stretchMs,
            );
          },
        ],
      },
    },
    [stretches.map(({ startMs }) => startMs / 1000), ...drawnSeries.map(({ values }) => values)],
    element,
  );
}

interface DrawnSeries {
  readonly values: number[];
  readonly look: uPlot.Series;
}

function createSeries(timeline: Timeline, readColor: (name: string) => string): readonly DrawnSeries[] {
  const { series, stretches, before } = timeline;
  const paths = uPlot.paths.bars!({ size: [0.8, 40], align: 1 });
  // The tallest bar, the sum of all series, is drawn first; each next one covers its lower part.
  const stacked = series.map(({ color }, index) => ({
    values: stretches.map(({ counts }) =>
      series.slice(index).reduce((sum, { name }) => sum + counts[name]!, 0),
    ),
    look: { paths, fill: readColor(color), points: { show: false } },
  }));
  if (before === undefined) return stacked;
  const look = {
    paths: uPlot.paths.stepped!({ align: 1 }),
    stroke: readColor('--text-soft'),
    width: 1.5,
    dash: [4, 3],
    points: { show: false },
  };
  return [...stacked, { values: stretches.map((_, index) => before.counts[index] ?? 0), look }];
}

/** A cursor that was moved by the keyboard stays when the pointer leaves. */
function createCursorHook(told: { readonly current: Told }): (plot: uPlot) => void {
  let isPointing = false;
  return ({ cursor: { idx, left = -1 } }) => {
    const wasPointing = isPointing;
    isPointing = left >= 0 && idx != null;
    if (isPointing) told.current.onPlace(idx!);
    else if (wasPointing) told.current.onPlace(undefined);
  };
}

/** A canvas does not support custom properties: returns the colour of each in this theme. */
function createColorReader(element: HTMLElement): (name: string) => string {
  return (name) => {
    element.style.color = `var(${name})`;
    const { color } = getComputedStyle(element);
    element.style.color = '';
    return color;
  };
}
