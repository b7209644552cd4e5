import jwt from 'jsonwebtoken';

export default {
  fetch(request) {
    const token = jwt.sign({ path: new URL(request.url).pathname, iat: 1 }, 'secret', { algorithm: 'HS512' });
    try {
      jwt.verify(token, 'another');
    } catch ({ message }) {
      return Response.json({ token, payload: jwt.verify(token, 'secret'), message });
    }
  },
};
