// Surfaces of bones: points in the axes of their body, put where the body is at each instant.
const MESHES = "bone surfaces";
const MESH_VERTEX = `#version 300 es
layout(location=0) in vec3 place; layout(location=1) in vec3 out_; uniform mat4 view; uniform mat3 turn; uniform vec3 origin; out vec3 normal; out vec3 colour; uniform vec3 tint;
void main() { normal = turn * out_; colour = tint; gl_Position = view * vec4(turn * place + origin, 1.0); }`;

// Points and normals of one bone, unpacked once.
function bonesOf(meshes) {
  return meshes.bones.map(({ link, low, size, points, triangles }) => {
    const count = points.shape[0], places = new Float32Array(3 * count), normals = new Float32Array(3 * count), faces = triangles.values;
    for (let i = 0; i < 3 * count; i += 1) places[i] = low[i % 3] + (size[i % 3] * points.values[i]) / 65535;
    for (let t = 0; t < faces.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => triple(places, faces[t + k])), n = cross(minus(b, a), minus(c, a));
      for (let k = 0; k < 3; k += 1) for (let x = 0; x < 3; x += 1) normals[3 * faces[t + k] + x] += n[x];
    }
    for (let i = 0; i < count; i += 1) normals.set(unit(triple(normals, i)), 3 * i);
    return { at: meshes.links.indexOf(link), places, normals, faces };
  });
}

// Where a body is: its origin, and the columns of its rotation one after the other.
function poseOf(meshes, at, frame) {
  const origins = row(meshes.origins, frame), turns = row(meshes.rotations, frame).subarray(9 * at, 9 * at + 9);
  return { origin: triple(origins, at), turn: [0, 1, 2].flatMap((column) => [turns[column], turns[3 + column], turns[6 + column]]) };
}

// Draws the surfaces of an instant; unpacks and uploads them when they are first seen.
function meshRenderer(gl, compiled, fragment) {
  const program = compiled(MESH_VERTEX, fragment), known = new Map();
  if (!program) return () => {};
  const at = (name) => gl.getUniformLocation(program, name);
  const uploaded = (meshes) => bonesOf(meshes).map((bone) => {
    const object = gl.createVertexArray();
    gl.bindVertexArray(object);
    [bone.places, bone.normals].forEach((values, place) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, bone.faces, gl.STATIC_DRAW);
    return { ...bone, object };
  });
  return (meshes, frame, camera, tint) => {
    if (!known.has(meshes)) known.set(meshes, uploaded(meshes));
    gl.useProgram(program);
    gl.uniformMatrix4fv(at("view"), false, camera.matrix);
    for (const [name, value] of [["light", camera.light], ["eye", camera.back], ["tint", tint]]) gl.uniform3fv(at(name), value);
    for (const bone of known.get(meshes)) {
      const { origin, turn } = poseOf(meshes, bone.at, frame);
      if (!Number.isFinite(origin[0])) continue;
      gl.uniform3fv(at("origin"), origin);
      gl.uniformMatrix3fv(at("turn"), false, turn);
      gl.bindVertexArray(bone.object);
      gl.drawElements(gl.TRIANGLES, bone.faces.length, gl.UNSIGNED_SHORT, 0);
    }
  };
}
