import { PageHead } from '../../parts/page-head.tsx';

export function TokensPage() {
  return <PageHead title="Tokens" />;
}
