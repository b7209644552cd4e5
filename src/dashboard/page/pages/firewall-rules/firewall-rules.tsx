import { PageHead } from '../../parts/page-head.tsx';

export function FirewallRulesPage() {
  return <PageHead title="Firewall rules" />;
}
