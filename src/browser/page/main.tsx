import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/shell.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '#client';
import { isTemporary } from './api/api-error.ts';
import { getSessionState, onSessionChange } from './api/session.ts';
import { getNonce } from './parts/nonce.ts';
import { Toasts } from './parts/toasts.tsx';
import { applyAppearance } from './parts/appearance.ts';
import { createPageRouter } from './router.tsx';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal is final: a retry would get the same answer. While the server is unreachable, a page keeps its
      // content, including open forms.
      retry: (failures, error) => isTemporary(error) || (!(error instanceof ApiError) && failures < 2),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 5_000),
    },
  },
});
const router = createPageRouter(queries);
onSessionChange(() => {
  const { kind } = getSessionState();
  if (kind === 'open') void queries.invalidateQueries();
  if (kind !== 'none') return;
  queries.clear();
  if (router.state.location.pathname !== '/sign-in') void router.navigate({ to: '/sign-in' });
});
applyAppearance();

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <CSPProvider nonce={getNonce()}>
      <QueryClientProvider client={queries}>
        <Toasts>
          <RouterProvider router={router} />
        </Toasts>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
