import { parseHTML } from 'linkedom';

export default {
  fetch(request) {
    const { document } = parseHTML('<html><body><p id=a>one</p></body></html>');
    document.querySelector('#a').setAttribute('title', new URL(request.url).pathname);
    return new Response(document.body.innerHTML);
  },
};
