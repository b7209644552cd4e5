/** From a name to the first event: each step is done here, and says when it is. The zone is in the address. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client } from '../../api/client.ts';
import { useAccountId, zonesQuery } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { Form } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { CertificateStep } from './certificate-step.tsx';
import { OriginStep } from './origin-step.tsx';
import { TestStep } from './test-step.tsx';

const route = getRouteApi('/signed-in/account/start');

export function ProtectWalk() {
  const { zone: zoneId } = route.useSearch();
  const zones = useQuery(zonesQuery);
  const zone = zones.data?.find(({ id }) => id === zoneId);
  const { data: protection } = useQuery({
    ...read('/zones/{zone_id}/protection', { zone_id: zone?.id ?? '' }),
    enabled: zone !== undefined,
  });
  const isServed = protection !== undefined && protection.state !== 'not served';
  return (
    <ol className="start-steps">
      <Step title="Name" state={zone === undefined ? 'now' : 'done'}>
        {zone === undefined ? <NameStep /> : <p>{zone.name}</p>}
      </Step>
      <Step title="Origin" state={zone === undefined ? 'later' : isServed ? 'done' : 'now'}>
        {zone !== undefined && !isServed && <OriginStep zoneId={zone.id} />}
        {isServed && <p>{protection.sentence}</p>}
      </Step>
      <Step title="Certificate" state={isServed ? 'now' : 'later'}>
        {isServed && <CertificateStep zoneId={zone!.id} name={zone!.name} />}
      </Step>
      <Step title="DNS" state={isServed ? 'now' : 'later'}>
        {isServed && <DnsStep zoneId={zone!.id} name={zone!.name} />}
      </Step>
      <Step title="Test attack" state={isServed ? 'now' : 'later'}>
        {isServed && <TestStep zoneId={zone!.id} />}
      </Step>
    </ol>
  );
}

interface StepProps {
  readonly title: string;
  readonly state: 'done' | 'now' | 'later';
  readonly children: ReactNode;
}

function Step({ title, state, children }: StepProps) {
  return (
    <li className="start-step" data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <div className="stack-close">
        <h2>{title}</h2>
        {children}
      </div>
    </li>
  );
}

/** A site that exists already is taken as it is. */
function NameStep() {
  const [name, setName] = useState('');
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const accountId = useAccountId();
  const taking = useWrite({
    async write() {
      const wanted = name.trim().toLowerCase();
      const zones = await queries.ensureQueryData(zonesQuery);
      const known = zones.find((each) => each.name === wanted);
      if (known !== undefined) return known.id;
      const { result } = await client.post('/zones', { body: { name: wanted, account: { id: accountId } } });
      return result.id;
    },
    onDone: (zone) => navigate({ search: { goal: 'protect', zone } }),
  });
  return (
    <Form
      action="Next"
      work={taking}
      failed="The site was not added:"
      isIncomplete={name.trim() === ''}
      onSubmit={() => taking.mutate()}
    >
      <TextField
        label="Host name"
        hint="What visitors type. Its subdomains belong to it."
        placeholder="shop.example"
        value={name}
        onChange={setName}
        spellCheck={false}
      />
    </Form>
  );
}

/** The records are somebody else's: what can be done here is to say them. */
function DnsStep({ zoneId, name }: { readonly zoneId: string; readonly name: string }) {
  return (
    <>
      <p>
        Point the A and AAAA records of <code>{name}</code> at the machine of this server, or at the load
        balancer in front of it. Until then, the edge answers to whoever names the host, as the test below
        does.
      </p>
      <p>
        <Link to="/zones/$zoneId" params={{ zoneId }}>
          Open the overview of {name}
        </Link>
      </p>
    </>
  );
}
