import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [
    remix({ future: { v3_fetcherPersist: true, v3_relativeSplatPath: true, v3_throwAbortReason: true } }),
  ],
  ssr: { resolve: { conditions: ['workerd', 'worker', 'browser'] } },
  resolve: { mainFields: ['browser', 'module', 'main'] },
});
