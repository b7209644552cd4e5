import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { onSessionEnd } from './api/session.ts';
import { getNonce } from './parts/nonce.ts';
import { Toasts } from './parts/toasts.tsx';
import { applyTheme } from './parts/theme.ts';
import { createPageRouter } from './router.tsx';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The server said no: asking again gives the same answer.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
    },
  },
});
const router = createPageRouter(queries);
onSessionEnd(() => {
  queries.clear();
  const { href, pathname } = router.state.location;
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href } });
});
applyTheme();

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
