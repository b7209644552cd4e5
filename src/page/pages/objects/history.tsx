/** The timeline of an object: every point can be looked at beside now, and gone back to where that is safe. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { formatBytes } from './format-bytes.ts';
import {
  type HistoryPoint,
  historyQuery,
  type Place,
  pointsShown,
  type StatefulObject,
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
  readonly place: Place;
  readonly at: string | undefined;
  readonly object: StatefulObject;
}

export function HistoryPart({ place, at, object }: HistoryProps) {
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
      <div className="row objects-until">
        <Field label="Show what was until">
          <TextInput
            type="datetime-local"
            step={1}
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
        </Field>
        {until !== '' && <Button onClick={() => setUntil('')}>Show the newest</Button>}
      </div>
      <Timeline {...{ place, at, object }} before={useSettled(before)} />
    </>
  );
}

function Timeline({ place, at, object, before }: HistoryProps & { readonly before: string | undefined }) {
  const [limit, setLimit] = useState(pointsShown);
  const history = useQuery(historyQuery(place, limit, before));
  if (history.isPending) return <Loading rows={8} />;
  if (history.isError) return <Failed error={history.error} onRetry={() => void history.refetch()} />;
  const points = history.data;
  const isMore = points.length === limit && limit < 1000;
  return (
    <>
      <ol className="objects-timeline" aria-label="History, newest first">
        {points.map((point, index) => (
          <Point
            key={point.bookmark}
            {...{ place, object, point }}
            isNow={index === 0 && before === undefined}
            isShown={point.bookmark === at}
          />
        ))}
      </ol>
      <div className="row">
        {isMore ? (
          <Button isBusy={history.isFetching} onClick={() => setLimit(Math.min(limit * 4, 1000))}>
            Show older points
          </Button>
        ) : (
          <span className="soft">
            {limit < 1000
              ? 'This is where its history begins.'
              : 'Choose an earlier time to see older points.'}
          </span>
        )}
      </div>
    </>
  );
}

interface PointProps {
  readonly place: Place;
  readonly object: StatefulObject;
  readonly point: HistoryPoint;
  readonly isNow: boolean;
  readonly isShown: boolean;
}

function Point({ place, object, point, isNow, isShown }: PointProps) {
  const [label, tone] = kinds[point.kind];
  const search = { class: place.className, object: place.object, view: 'tables', at: point.bookmark };
  return (
    <li className={isShown ? 'objects-point objects-point-shown' : 'objects-point'}>
      <span className="objects-point-time">
        <Time at={point.time} />
        <span className="soft mono objects-id">{point.bookmark.slice(0, 26)}</span>
      </span>
      <span className="row">
        <Pill tone={tone}>{label}</Pill>
        <span className="soft">{formatBytes(point.bytes)}</span>
      </span>
      <span className="row objects-point-actions">
        {isNow ? (
          <Pill tone="good">now</Pill>
        ) : (
          <>
            <Link to="/objects" search={search}>
              Compare with now
            </Link>
            {object.is_restorable && <RestoreButton {...{ place, object, point }} />}
          </>
        )}
      </span>
    </li>
  );
}
