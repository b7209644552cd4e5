/** The timeline of an object: every point can be compared with the current state, and restored where that is safe. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { read } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { formatBytes } from '../../parts/format-bytes.ts';
import {
  type HistoryPoint,
  objectPath,
  pointsShown,
  searchFor,
  type StatefulObject,
  usePlace,
} from './object-queries.ts';
import { RestoreButton } from './restore.tsx';
import { DifferenceTable } from './steps/difference-table.tsx';
import { StepList } from './steps/step-list.tsx';

const kinds: Readonly<Record<HistoryPoint['kind'], readonly [label: string, tone: Tone]>> = {
  write: ['write', 'neutral'],
  restore: ['restored', 'warn'],
  import: ['imported', 'warn'],
  'delete-all': ['all deleted', 'bad'],
  'restore-requested': ['restore requested', 'warn'],
};

interface HistoryProps {
  readonly at: string | undefined;
  readonly object: StatefulObject;
}

export function HistoryPart({ at, object }: HistoryProps) {
  const [until, setUntil] = useState('');
  // The input is in the reader's time zone.
  const before = until === '' ? undefined : new Date(until).toISOString();
  return (
    <>
      {!object.is_restorable && (
        <p className="note">
          This object is read-only here. To restore it, stop the server and use{' '}
          <code>gatehouse objects restore</code>.
        </p>
      )}
      <div className="row fields">
        <TextField
          label="Show history until"
          type="datetime-local"
          step={1}
          value={until}
          onChange={setUntil}
        />
        {until !== '' && <Button onClick={() => setUntil('')}>Show the newest</Button>}
      </div>
      <Timeline {...{ at, object }} before={useSettled(before)} />
    </>
  );
}

const pointsMax = 1_000;

function Timeline({ at, object, before }: HistoryProps & { readonly before: string | undefined }) {
  const [limit, setLimit] = useState(pointsShown);
  const input = { ...usePlace(), query: { limit, before } };
  const history = useQuery({ ...read(`${objectPath}/history`, input), placeholderData: keepPreviousData });
  return (
    <Resource of={history} rows={8}>
      {(points) => (
        <>
          <StepList
            label="History, newest first"
            order="newest first"
            steps={points.map((point, index) => ({
              key: point.bookmark,
              name: `${new Date(point.time).toLocaleString()} ${kinds[point.kind][0]}`,
              className: point.bookmark === at && 'objects-point-shown',
              cells: (opener) => (
                <Point {...{ object, point, opener }} isNow={index === 0 && before === undefined} />
              ),
            }))}
            compare={(earlier, later) => (
              <Differences from={earlier?.key} to={later.key} isWhole={points.length < limit} />
            )}
          />
          {points.length === limit && limit < pointsMax ? (
            <div className="row">
              <Button isBusy={history.isFetching} onClick={() => setLimit(Math.min(limit * 4, pointsMax))}>
                Show older points
              </Button>
            </div>
          ) : (
            <p className="soft">
              {limit < pointsMax
                ? 'This is where its history begins.'
                : 'Choose an earlier time to see older points.'}
            </p>
          )}
        </>
      )}
    </Resource>
  );
}

interface DifferencesProps {
  readonly from: string | undefined;
  readonly to: string;
  /** Whether the shown points reach back to the start. */
  readonly isWhole: boolean;
}

function Differences({ from, to, isWhole }: DifferencesProps) {
  const isCut = from === undefined && !isWhole;
  const input = { ...usePlace(), query: { from, to } };
  const found = useQuery({ ...read(`${objectPath}/differences`, input), enabled: !isCut, retry: false });
  if (isCut) return <p className="soft">Show older points to see what it changed.</p>;
  return (
    <Resource of={found} rows={2}>
      {({ differences, has_more: hasMore }) =>
        differences.length === 0 ? (
          <p className="soft">No differences.</p>
        ) : (
          <>
            <DifferenceTable rows={differences} />
            {hasMore && <p className="soft">There are more differences.</p>}
          </>
        )
      }
    </Resource>
  );
}

interface PointProps {
  readonly object: StatefulObject;
  readonly point: HistoryPoint;
  readonly isNow: boolean;
  readonly opener: ReactNode;
}

function Point({ object, point, isNow, opener }: PointProps) {
  const place = usePlace();
  const [label, tone] = kinds[point.kind];
  return (
    <>
      <span>
        <Time at={point.time} />
        <span className="soft mono objects-bookmark">{point.bookmark.slice(0, 26)}</span>
      </span>
      <span className="row">
        <Pill tone={tone}>{label}</Pill>
        <span className="soft">{formatBytes(point.bytes)}</span>
      </span>
      <span className="row row-end">
        {opener}
        {isNow ? (
          <Pill tone="good">now</Pill>
        ) : (
          <>
            <Link to="/objects" search={searchFor(place, { view: 'tables', at: point.bookmark })}>
              Compare with now
            </Link>
            {object.is_restorable && <RestoreButton {...{ object, point }} />}
          </>
        )}
      </span>
    </>
  );
}
