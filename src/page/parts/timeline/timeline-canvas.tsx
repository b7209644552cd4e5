/** Draws a timeline with uPlot. Dragging over it chooses a range. */
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { Timeline } from '../../api/timeline.ts';
import { formatAxisTimes } from './axis-times.ts';

const heightPixels = 168;

export interface TimelineProps {
  readonly timeline: Timeline;
  /** The reader has chosen a range. */
  readonly onSelect: (sinceMs: number, untilMs: number) => void;
}

export function TimelineCanvas({ timeline, onSelect }: TimelineProps) {
  const frame = useRef<HTMLDivElement>(null);
  const select = useRef(onSelect);
  useEffect(() => {
    select.current = onSelect;
  });
  useEffect(() => {
    const element = frame.current!;
    let plot = draw(element, timeline, (from, until) => select.current(from, until));
    const redraw = (): void => {
      plot.destroy();
      plot = draw(element, timeline, (from, until) => select.current(from, until));
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
  return <div ref={frame} />;
}

function draw(element: HTMLElement, timeline: Timeline, onSelect: TimelineProps['onSelect']): uPlot {
  const { series, stretches, stretchMs } = timeline;
  const readColor = createColorReader(element);
  const axis = {
    stroke: readColor('--text-soft'),
    grid: { stroke: readColor('--line'), width: 1 },
    ticks: { show: false },
  };
  const bars = uPlot.paths.bars!({ size: [0.8, 40], align: 1 });
  // The tallest bar, everything together, is drawn first; each next one covers the lower part of it.
  const stacked = series.map(({ color }, index) => ({
    values: stretches.map(({ counts }) =>
      series.slice(index).reduce((sum, { name }) => sum + counts[name]!, 0),
    ),
    bar: { paths: bars, fill: readColor(color), points: { show: false } },
  }));
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
      series: [{}, ...stacked.map(({ bar }) => bar)],
      hooks: {
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            if (width < 4) return;
            const sinceMs = plot.posToVal(left, 'x') * 1000;
            const untilMs = plot.posToVal(left + width, 'x') * 1000;
            // Whole stretches, so that what is shown is what was chosen.
            onSelect(Math.floor(sinceMs / stretchMs) * stretchMs, Math.ceil(untilMs / stretchMs) * stretchMs);
          },
        ],
      },
    },
    [stretches.map(({ startMs }) => startMs / 1000), ...stacked.map(({ values }) => values)],
    element,
  );
}

/** A canvas knows no custom properties: the colour that each stands for in this theme. */
function createColorReader(element: HTMLElement): (name: string) => string {
  return (name) => {
    element.style.color = `var(${name})`;
    const { color } = getComputedStyle(element);
    element.style.color = '';
    return color;
  };
}
