//! Pairs off vertices of a graph so that all required ones are covered.
//!
//! A move between two boards uses both of them up, so the moves between boards form a matching of the graph
//! whose vertices are boards. That graph is not bipartite, and a search without blossoms would miss matchings
//! and so lose legal actions: this is Edmonds' algorithm. Begin at [`Matcher::cover`].

use std::collections::VecDeque;

/// An undirected graph under construction, and the memory to match it.
#[derive(Default)]
pub(super) struct Matcher {
    neighbours: Vec<Vec<u16>>,
    vertices: usize,
    mate: Vec<u16>,
    parent: Vec<u16>,
    base: Vec<u16>,
    outer: Vec<bool>,
    in_blossom: Vec<bool>,
    on_path: Vec<bool>,
    queue: VecDeque<u16>,
    /// The number of edge ends visited and vertices initialised.
    work: usize,
}

const NONE: u16 = u16::MAX;

impl Matcher {
    /// Forgets the graph and starts one of `vertices` vertices without edges.
    pub(super) fn reset(&mut self, vertices: usize) {
        if self.neighbours.len() < vertices {
            self.neighbours.resize_with(vertices, Vec::new);
        }
        for list in &mut self.neighbours[..vertices] {
            list.clear();
        }
        self.vertices = vertices;
    }

    /// Adds an edge between two different vertices.
    pub(super) fn connect(&mut self, a: usize, b: usize) {
        self.neighbours[a].push(b as u16);
        self.neighbours[b].push(a as u16);
    }

    /// Finds a matching that covers every vertex for which `required` is true. Returns false if there is
    /// none.
    pub(super) fn cover(&mut self, required: &[bool]) -> bool {
        let n = self.vertices;
        self.mate.clear();
        self.mate.resize(n, NONE);
        // Vertices that can be covered one after another can be covered together: they form a matroid.
        (0..n).all(|root| !required[root] || self.mate[root] != NONE || self.cover_one(root as u16, required))
    }

    /// The work since the last call, in units of about a nanosecond.
    pub(super) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// The partner of a vertex in the matching found last.
    pub(super) fn partner(&self, vertex: usize) -> Option<usize> {
        (self.mate[vertex] != NONE).then_some(self.mate[vertex] as usize)
    }

    /// Whether the search that found no matching got stuck with this vertex. Every such vertex is required,
    /// and their neighbours can cover all but one of them. Only a new edge from one of them to a vertex that
    /// is none of them would help.
    pub(super) fn is_outer(&self, vertex: usize) -> bool {
        self.outer[vertex]
    }

    /// Covers `root` and keeps all covered vertices covered, except perhaps one that is not required.
    fn cover_one(&mut self, root: u16, required: &[bool]) -> bool {
        let n = self.vertices;
        self.work += 8 * n;
        self.parent.clear();
        self.parent.resize(n, NONE);
        self.base.clear();
        self.base.extend(0..n as u16);
        self.outer.clear();
        self.outer.resize(n, false);
        self.queue.clear();
        self.outer[root as usize] = true;
        self.queue.push_back(root);
        while let Some(v) = self.queue.pop_front() {
            self.work += 4 + 4 * self.neighbours[v as usize].len();
            for i in 0..self.neighbours[v as usize].len() {
                let u = self.neighbours[v as usize][i];
                if self.base[v as usize] == self.base[u as usize] || self.mate[v as usize] == u {
                    continue;
                }
                let mate = self.mate[u as usize];
                if u == root || mate != NONE && self.parent[mate as usize] != NONE {
                    if let Some(released) = self.contract(v, u, root, required) {
                        self.release(released);
                        return true;
                    }
                } else if self.parent[u as usize] == NONE {
                    self.parent[u as usize] = v;
                    if mate == NONE {
                        self.flip(u);
                        return true;
                    }
                    self.outer[mate as usize] = true;
                    if !required[mate as usize] {
                        self.release(mate);
                        return true;
                    }
                    self.queue.push_back(mate);
                }
            }
        }
        false
    }

    /// Merges the odd cycle that the edge between the outer vertices `v` and `u` closes. Its inner vertices
    /// become outer. Returns the first of them that need not stay covered.
    fn contract(&mut self, v: u16, u: u16, root: u16, required: &[bool]) -> Option<u16> {
        self.work += 8 * self.vertices;
        let common = self.common_base(v, u, root);
        self.in_blossom.clear();
        self.in_blossom.resize(self.vertices, false);
        self.mark_path(v, common, u);
        self.mark_path(u, common, v);
        let mut released = None;
        for (i, &required) in required.iter().enumerate() {
            if self.in_blossom[self.base[i] as usize] {
                self.base[i] = common;
                if !self.outer[i] {
                    self.outer[i] = true;
                    self.queue.push_back(i as u16);
                    if !required && released.is_none() {
                        released = Some(i as u16);
                    }
                }
            }
        }
        released
    }

    fn common_base(&mut self, a: u16, b: u16, root: u16) -> u16 {
        self.on_path.clear();
        self.on_path.resize(self.vertices, false);
        let mut v = a;
        loop {
            v = self.base[v as usize];
            self.on_path[v as usize] = true;
            if v == self.base[root as usize] {
                break;
            }
            v = self.parent[self.mate[v as usize] as usize];
        }
        let mut v = b;
        loop {
            v = self.base[v as usize];
            if self.on_path[v as usize] {
                return v;
            }
            v = self.parent[self.mate[v as usize] as usize];
        }
    }

    fn mark_path(&mut self, mut v: u16, common: u16, mut child: u16) {
        while self.base[v as usize] != common {
            let mate = self.mate[v as usize];
            self.in_blossom[self.base[v as usize] as usize] = true;
            self.in_blossom[self.base[mate as usize] as usize] = true;
            self.parent[v as usize] = child;
            child = mate;
            v = self.parent[mate as usize];
        }
    }

    /// Uncovers an outer vertex and covers the root instead.
    fn release(&mut self, vertex: u16) {
        let mate = self.mate[vertex as usize];
        self.mate[vertex as usize] = NONE;
        self.flip(mate);
    }

    /// Exchanges matched and unmatched edges on the path from the root to `end`.
    fn flip(&mut self, end: u16) {
        let mut v = end;
        while v != NONE {
            let parent = self.parent[v as usize];
            let next = self.mate[parent as usize];
            self.mate[v as usize] = parent;
            self.mate[parent as usize] = v;
            v = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether some matching covers the vertices of `required` that are not in `used`, tried out.
    fn coverable(edges: &[(usize, usize)], required: &[bool], used: &mut Vec<bool>) -> bool {
        let Some(open) = (0..required.len()).find(|&v| required[v] && !used[v]) else { return true };
        edges.iter().any(|&(a, b)| {
            if (a != open && b != open) || used[a] || used[b] {
                return false;
            }
            used[a] = true;
            used[b] = true;
            let covered = coverable(edges, required, used);
            used[a] = false;
            used[b] = false;
            covered
        })
    }

    #[test]
    fn agrees_with_trying_everything() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % below
        };
        let (mut yes, mut no) = (0, 0);
        let mut matcher = Matcher::default();
        for _ in 0..30_000 {
            let n = 2 + random(10) as usize;
            let density = 1 + random(4);
            let mut edges = Vec::new();
            for a in 0..n {
                for b in a + 1..n {
                    if random(6) < density {
                        edges.push((a, b));
                    }
                }
            }
            let wanted = random(5);
            let required: Vec<bool> = (0..n).map(|_| random(5) < wanted).collect();
            matcher.reset(n);
            for &(a, b) in &edges {
                matcher.connect(a, b);
            }
            let covered = matcher.cover(&required);
            assert_eq!(covered, coverable(&edges, &required, &mut vec![false; n]), "{edges:?} {required:?}");
            if covered {
                yes += 1;
                for (v, &required) in required.iter().enumerate() {
                    match matcher.partner(v) {
                        None => assert!(!required),
                        Some(u) => {
                            assert_eq!(matcher.partner(u), Some(v));
                            assert!(edges.contains(&(u.min(v), u.max(v))));
                        }
                    }
                }
            } else {
                no += 1;
            }
        }
        assert!(yes > 3_000 && no > 3_000, "{yes} {no}");
    }

    #[test]
    fn a_matching_that_needs_a_blossom_is_found() {
        // Every vertex but 5 must be covered; a search without blossoms fails here.
        let edges = [
            (0, 1),
            (2, 3),
            (1, 4),
            (2, 4),
            (2, 5),
            (4, 5),
            (1, 6),
            (3, 6),
            (6, 7),
            (1, 8),
            (5, 8),
            (6, 8),
            (7, 8),
        ];
        let mut matcher = Matcher::default();
        matcher.reset(9);
        for (a, b) in edges {
            matcher.connect(a, b);
        }
        let required: Vec<bool> = (0..9).map(|v| v != 5).collect();
        assert!(matcher.cover(&required));
    }
}
