import { PageHead } from '../../parts/page-head.tsx';

export function ListsPage() {
  return <PageHead title="Lists" />;
}
