/** Says which moment is looked at beside now, and leads back to now, or back in time. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client, resultOf } from '../../api/client.ts';
import { Time } from '../../parts/time.tsx';
import { keyOf, namesOf, type Place, type StatefulObject } from './object-queries.ts';
import { RestoreButton } from './restore.tsx';

interface MomentBarProps {
  readonly place: Place;
  readonly at: string;
  readonly view: string;
  readonly object: StatefulObject;
}

export function MomentBar({ place, at, view, object }: MomentBarProps) {
  const point = useQuery({
    queryKey: [...keyOf(place), 'point', at],
    queryFn: async ({ signal }) =>
      (
        await resultOf(
          client.get('/accounts/{account_id}/objects/{class_name}/{object}/history', {
            ...namesOf(place),
            query: { at, limit: 1 },
            signal,
          }),
        )
      )[0],
  });
  return (
    <div className="objects-moment" role="status">
      <span>
        You see the state of {point.data === undefined ? 'an earlier moment' : <Time at={point.data.time} />}{' '}
        beside the one of now.
      </span>
      <span className="row">
        <Link to="/objects" search={{ class: place.className, object: place.object, view }}>
          Only now
        </Link>
        {object.is_restorable && point.data !== undefined && (
          <RestoreButton place={place} object={object} point={point.data} />
        )}
      </span>
    </div>
  );
}
