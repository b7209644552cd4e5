/** The results of a TLS scanner for a site: versions, cipher suites, the chain and its expiry. */
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useZone } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Pill } from '../../parts/pill.tsx';
import { Time } from '../../parts/time.tsx';

type Scan = Result<'protection.scanTls'>;

export function ScanCard() {
  const { id: zone_id, name } = useZone();
  const scan = useWrite({
    write: () => resultOf(client.post('/zones/{zone_id}/protection/tls_scan', { zone_id, body: {} })),
    failed: 'The site was not scanned',
  });
  return (
    <Card
      title="What browsers see"
      actions={
        <Button disabled={scan.isPending} onClick={() => scan.mutate()}>
          Scan TLS
        </Button>
      }
    >
      <p className="soft">
        Makes about 20 handshakes with the edge of this server, as a TLS scanner would for {name}.
      </p>
      {scan.data && <ScanView scan={scan.data} />}
    </Card>
  );
}

function ScanView({ scan }: { readonly scan: Scan }) {
  const { protocols, applications, chain, problems, expires_in_days: days } = scan;
  return (
    <div className="stack-close">
      {problems.length === 0 && <Pill tone="good">no problems</Pill>}
      {problems.map((problem) => (
        <p key={problem} className="note note-warn" role="alert">
          {problem}
        </p>
      ))}
      <Facts
        isBeside
        facts={[
          ...protocols.map(({ version, ciphers }) => [version, ciphers.join(' ')] as const),
          ['Protocols', applications.join(', ')],
          ['Sessions', protocols.length === 0 ? '' : scan.resumes_sessions ? 'resumed' : 'not resumed'],
          ...chain.map(
            ({ names, subject, key, issuer }, index) =>
              [
                index === 0 ? 'Certificate' : `Signed by (${index})`,
                `${names.join(', ') || subject}: ${key}, by ${issuer}`,
              ] as const,
          ),
          ['Expires', chain[0] && <Time at={chain[0].valid_to} />],
          ['Days left', days === null ? '' : String(days)],
        ]}
      />
    </div>
  );
}
