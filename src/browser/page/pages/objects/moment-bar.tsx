/** Shows which moment is compared with the current state, with links to the current state and to other moments. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../../api/read.ts';
import { Time } from '../../parts/time.tsx';
import { objectPath, searchFor, type StatefulObject, usePlace } from './object-queries.ts';
import { RestoreButton } from './restore.tsx';

interface MomentBarProps {
  readonly at: string;
  readonly view: string;
  readonly object: StatefulObject;
}

export function MomentBar({ at, view, object }: MomentBarProps) {
  const place = usePlace();
  const { data: points = [] } = useQuery(
    read(`${objectPath}/history`, { ...place, query: { at, limit: 1 } }),
  );
  const [point] = points;
  return (
    <div className="banner" role="status">
      <span>
        You see the state at {point === undefined ? 'an earlier moment' : <Time at={point.time} />} beside the
        current one.
      </span>
      <span className="row">
        <Link to="/objects" search={searchFor(place, { view })}>
          Only now
        </Link>
        {object.is_restorable && point !== undefined && <RestoreButton object={object} point={point} />}
      </span>
    </div>
  );
}
