/** From a name to the first event: each step is done here, and reports when it is complete. The zone is in the URL. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../../api/client.ts';
import { useAccountId, zonesQuery } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import type { Zone } from '../../api/types.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteForm } from '../../parts/forms/form.tsx';
import { CertificateStep } from './certificate-step.tsx';
import { OriginStep } from './origin-step.tsx';
import { TestStep } from './test-step.tsx';

const route = getRouteApi('/signed-in/account/start');

export function ProtectWalk() {
  const { zone: zoneId } = route.useSearch();
  const { data: zones } = useQuery(zonesQuery);
  const zone = zones?.find(({ id }) => id === zoneId);
  return (
    <ol className="start-steps">
      <Step title="Name" state={zone === undefined ? 'now' : 'done'}>
        {zone === undefined ? <NameStep /> : <p>{zone.name}</p>}
      </Step>
      {zone === undefined ? <LaterSteps titles={['Origin', ...lastSteps]} /> : <ZoneSteps zone={zone} />}
    </ol>
  );
}

const lastSteps = ['Certificate', 'DNS', 'Test attack'];

function LaterSteps({ titles }: { readonly titles: readonly string[] }) {
  return titles.map((title) => <Step key={title} title={title} state="later" />);
}

function ZoneSteps({ zone: { id, name } }: { readonly zone: Zone }) {
  const { data: protection } = useQuery(read('/zones/{zone_id}/protection', { zone_id: id }));
  if (protection === undefined) return <LaterSteps titles={['Origin', ...lastSteps]} />;
  if (protection.state === 'not served')
    return (
      <>
        <Step title="Origin" state="now">
          <OriginStep zoneId={id} />
        </Step>
        <LaterSteps titles={lastSteps} />
      </>
    );
  return (
    <>
      <Step title="Origin" state="done">
        <p>{protection.sentence}</p>
      </Step>
      <Step title="Certificate" state="now">
        <CertificateStep zoneId={id} name={name} />
      </Step>
      <Step title="DNS" state="now">
        <DnsStep zoneId={id} name={name} />
      </Step>
      <Step title="Test attack" state="now">
        <TestStep zoneId={id} />
      </Step>
    </>
  );
}

interface StepProps {
  readonly title: string;
  readonly state: 'done' | 'now' | 'later';
  readonly children?: ReactNode;
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

/** An existing site is used unchanged. */
function NameStep() {
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const accountId = useAccountId();
  return (
    <WriteForm
      action="Next"
      initial={{ name: '' }}
      write={async ({ name }) => {
        const wanted = name.trim().toLowerCase();
        const zones = await queries.ensureQueryData(zonesQuery);
        const known = zones.find((each) => each.name === wanted);
        if (known !== undefined) return known.id;
        const { result } = await client.post('/zones', {
          body: { name: wanted, account: { id: accountId } },
        });
        return result.id;
      }}
      failed="The site was not added:"
      onDone={(zone) => navigate({ search: { goal: 'protect', zone } })}
      isIncomplete={({ name }) => name.trim() === ''}
    >
      {(bind) => (
        <TextField
          label="Host name"
          hint="The name that visitors type. Its subdomains are included."
          placeholder="shop.example"
          spellCheck={false}
          {...bind('name')}
        />
      )}
    </WriteForm>
  );
}

/** The DNS records are managed elsewhere: this only shows them. */
function DnsStep({ zoneId, name }: { readonly zoneId: string; readonly name: string }) {
  return (
    <>
      <p>
        Point the A and AAAA records of <code>{name}</code> at the machine of this server, or at the load
        balancer in front of it. Until then, the edge answers every request that names the host, such as the
        test below.
      </p>
      <p>
        <Link to="/zones/$zoneId" params={{ zoneId }}>
          Open the overview of {name}
        </Link>
      </p>
    </>
  );
}
