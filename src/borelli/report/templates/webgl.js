// A small renderer: instanced capsules with light, a ground with squares; nothing else. Returns null without WebGL 2.
const CAPSULE_VERTEX = `#version 300 es
layout(location=0) in vec4 corner; layout(location=1) in vec3 a; layout(location=2) in vec3 b; layout(location=3) in vec2 radius; layout(location=4) in vec3 tint;
uniform mat4 view; out vec3 normal; out vec3 colour;
void main() {
  vec3 along = b - a; float size = length(along);
  vec3 w = size > 1e-7 ? along / size : vec3(0, 1, 0), u = normalize(abs(w.x) < 0.8 ? cross(w, vec3(1, 0, 0)) : cross(w, vec3(0, 1, 0))), v = cross(w, u);
  vec3 out_ = corner.x * u + corner.y * v + corner.z * w;
  normal = out_; colour = tint;
  gl_Position = view * vec4(mix(a, b, corner.w) + mix(radius.x, radius.y, corner.w) * out_, 1.0);
}`;
const CAPSULE_FRAGMENT = `#version 300 es
precision mediump float; in vec3 normal; in vec3 colour; uniform vec3 light; uniform vec3 eye; out vec4 pixel;
void main() {
  vec3 n = normalize(normal);
  float lit = 0.55 + 0.45 * max(dot(n, light), 0.0) + 0.12 * max(dot(n, -light), 0.0), shine = pow(max(dot(reflect(-light, n), eye), 0.0), 24.0);
  pixel = vec4(colour * lit + 0.16 * shine, 1.0);
}`;
const GROUND_VERTEX = `#version 300 es
layout(location=0) in vec3 place; uniform mat4 view; uniform vec3 u; uniform vec3 v; out vec2 at;
void main() { at = vec2(dot(place, u), dot(place, v)); gl_Position = view * vec4(place, 1.0); }`;
const GROUND_FRAGMENT = `#version 300 es
precision highp float; in vec2 at; uniform vec3 tint; uniform vec3 paper; uniform vec2 middle; uniform float reach; out vec4 pixel;
void main() {
  vec2 cell = mod(floor(at * 4.0), 2.0); float dark = cell.x == cell.y ? 0.0 : 1.0, far = smoothstep(0.35, 1.0, length(at - middle) / reach);
  pixel = vec4(mix(mix(tint, tint * 0.955, dark), paper, far), 1.0);
}`;

// Corners of a capsule along z: two half spheres; w is the end that a corner belongs to.
function capsuleMesh(rings = 4, spokes = 12) {
  const corners = [], faces = [], turn = (k) => (2 * Math.PI * k) / spokes;
  for (const [end, first, last] of [[0, -90, 0], [1, 0, 90]]) {
    for (let r = 0; r <= rings; r += 1) {
      const tilt = ((first + ((last - first) * r) / rings) * Math.PI) / 180;
      for (let s = 0; s < spokes; s += 1) corners.push(Math.cos(tilt) * Math.cos(turn(s)), Math.cos(tilt) * Math.sin(turn(s)), Math.sin(tilt), end);
    }
  }
  for (let r = 0; r < 2 * rings + 1; r += 1) for (let s = 0; s < spokes; s += 1) {
    const a = r * spokes + s, b = r * spokes + ((s + 1) % spokes);
    faces.push(a, b, a + spokes, b, b + spokes, a + spokes);
  }
  return { corners: new Float32Array(corners), faces: new Uint16Array(faces) };
}

function makeRenderer(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) return null;
  const compiled = (vertex, fragment) => {
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
  };
  const capsules = compiled(CAPSULE_VERTEX, CAPSULE_FRAGMENT), ground = compiled(GROUND_VERTEX, GROUND_FRAGMENT);
  if (!capsules || !ground) return null;
  const mesh = capsuleMesh(), many = gl.createBuffer(), bodies = gl.createVertexArray(), floor = gl.createVertexArray(), plane = gl.createBuffer();
  gl.bindVertexArray(bodies);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, mesh.corners, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.faces, gl.STATIC_DRAW);
  gl.bindBuffer(gl.ARRAY_BUFFER, many);
  for (const [place, count, offset] of [[1, 3, 0], [2, 3, 3], [3, 2, 6], [4, 3, 8]]) {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, count, gl.FLOAT, false, 4 * FIELDS, 4 * offset);
    gl.vertexAttribDivisor(place, 1);
  }
  gl.bindVertexArray(floor);
  gl.bindBuffer(gl.ARRAY_BUFFER, plane);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  const at = (program, name) => gl.getUniformLocation(program, name);
  const surfaces = meshRenderer(gl, compiled, CAPSULE_FRAGMENT);
  return (figure, camera, look) => {
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...look.paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    if (look.floor) {
      gl.useProgram(ground);
      gl.uniformMatrix4fv(at(ground, "view"), false, camera.matrix);
      for (const [name, value] of [["u", look.floor.u], ["v", look.floor.v], ["tint", look.floor.tint], ["paper", look.paper]]) gl.uniform3fv(at(ground, name), value);
      gl.uniform2fv(at(ground, "middle"), look.floor.middle);
      gl.uniform1f(at(ground, "reach"), look.floor.reach);
      gl.bindVertexArray(floor);
      gl.bindBuffer(gl.ARRAY_BUFFER, plane);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(look.floor.corners.flat()), gl.DYNAMIC_DRAW);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    if (look.meshes) surfaces(look.meshes, look.frame, camera, look.bone);
    gl.useProgram(capsules);
    gl.uniformMatrix4fv(at(capsules, "view"), false, camera.matrix);
    gl.uniform3fv(at(capsules, "light"), camera.light);
    gl.uniform3fv(at(capsules, "eye"), camera.back);
    gl.bindVertexArray(bodies);
    gl.bindBuffer(gl.ARRAY_BUFFER, many);
    gl.bufferData(gl.ARRAY_BUFFER, figure.numbers.subarray(0, FIELDS * figure.count), gl.DYNAMIC_DRAW);
    gl.drawElementsInstanced(gl.TRIANGLES, mesh.faces.length, gl.UNSIGNED_SHORT, 0, figure.count);
  };
}
