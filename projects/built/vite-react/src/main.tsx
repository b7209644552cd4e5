import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('root')!).render(<h1>built by Vite</h1>);
