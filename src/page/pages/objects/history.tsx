/** The timeline of an object: every point can be looked at beside now, and gone back to where that is safe. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { read } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { joinClasses } from '../../parts/join-classes.ts';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { formatBytes } from './format-bytes.ts';
import {
  type HistoryPoint,
  objectPath,
  pointsShown,
  searchFor,
  type StatefulObject,
  usePlace,
} from './object-queries.ts';
import { RestoreButton } from './restore.tsx';

const kinds: Readonly<Record<HistoryPoint['kind'], readonly [label: string, tone: Tone]>> = {
  write: ['write', 'neutral'],
  restore: ['restored', 'warn'],
  import: ['imported', 'warn'],
  'delete-all': ['all deleted', 'bad'],
  'restore-requested': ['restore asked for', 'warn'],
};

interface HistoryProps {
  readonly at: string | undefined;
  readonly object: StatefulObject;
}

export function HistoryPart({ at, object }: HistoryProps) {
  const [until, setUntil] = useState('');
  // The input has the time of the reader's zone.
  const before = until === '' ? undefined : new Date(until).toISOString();
  return (
    <>
      {!object.is_restorable && (
        <p className="note">
          This object can be looked at here. To put it back, stop the server and use{' '}
          <code>gatehouse objects restore</code>.
        </p>
      )}
      <div className="row fields">
        <TextField
          label="Show what was until"
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
          <ol className="objects-timeline" aria-label="History, newest first">
            {points.map((point, index) => (
              <Point
                key={point.bookmark}
                {...{ object, point }}
                isNow={index === 0 && before === undefined}
                isShown={point.bookmark === at}
              />
            ))}
          </ol>
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

interface PointProps {
  readonly object: StatefulObject;
  readonly point: HistoryPoint;
  readonly isNow: boolean;
  readonly isShown: boolean;
}

function Point({ object, point, isNow, isShown }: PointProps) {
  const place = usePlace();
  const [label, tone] = kinds[point.kind];
  return (
    <li className={joinClasses('objects-point', isShown && 'objects-point-shown')}>
      <span>
        <Time at={point.time} />
        <span className="soft mono objects-bookmark">{point.bookmark.slice(0, 26)}</span>
      </span>
      <span className="row">
        <Pill tone={tone}>{label}</Pill>
        <span className="soft">{formatBytes(point.bytes)}</span>
      </span>
      <span className="row row-end">
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
    </li>
  );
}
