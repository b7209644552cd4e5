/** Deletes a site irreversibly: its name must be typed. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useZone } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';

export function DeleteCard() {
  const { id, name } = useZone();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <Card title="Delete this site" className="card-danger">
      <div className="row">
        <p>
          Its rules, settings and certificates are deleted, too. Its audit log stays. This cannot be undone.
        </p>
        <ConfirmButton
          label="Delete site"
          title={`Delete ${name}?`}
          action="Delete for good"
          typed={name}
          write={() => client.delete('/zones/{zone_id}', { zone_id: id })}
          done={`${name} is deleted`}
          failed={`${name} was not deleted`}
          onDone={async () => {
            await navigate({ to: '/' });
            queries.removeQueries({ queryKey: ['zones', id] });
            void queries.invalidateQueries({ queryKey: ['zones'] });
          }}
        >
          <p>
            The edge stops serving it at once. Rules, settings and certificates are deleted and cannot be
            restored from here.
          </p>
        </ConfirmButton>
      </div>
    </Card>
  );
}
