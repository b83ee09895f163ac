package onnx

import "container/heap"

// arrange puts nodes in an order in which each follows those whose outputs it uses, if the
// file has another one, as other programs accept it. Where there is a circle they stay.
func arrange(nodes []Node, outer *scope) {
	made, all := map[string]bool{}, outputs(nodes)
	for i := range nodes {
		early := false
		nodes[i].uses(func(name string) { early = early || all[name] && !made[name] && !outer.has(name) })
		if early {
			sort(nodes)
			return
		}
		for _, o := range nodes[i].Outputs {
			made[o] = true
		}
	}
}

// uses calls f with the names of values that the node needs, those among them that its
// graphs take from around them.
func (n *Node) uses(f func(name string)) {
	for _, in := range n.Inputs {
		if in != "" {
			f(in)
		}
	}
	for _, a := range n.Attributes {
		if a.Graph != nil {
			a.Graph.uses(f)
		}
		for i := range a.Graphs {
			a.Graphs[i].uses(f)
		}
	}
}

func (g *Graph) uses(f func(name string)) {
	own := outputs(g.Nodes)
	for i := range g.Inputs {
		own[g.Inputs[i].Name] = true
	}
	for i := range g.Initializers {
		own[g.Initializers[i].Name] = true
	}
	for i := range g.Sparse {
		own[g.Sparse[i].Name] = true
	}
	outside := func(name string) {
		if !own[name] {
			f(name)
		}
	}
	for i := range g.Nodes {
		g.Nodes[i].uses(outside)
	}
	for i := range g.Outputs {
		outside(g.Outputs[i].Name)
	}
}

// sort is Kahn's algorithm; of the nodes that can be next, the first of the file is.
func sort(nodes []Node) {
	maker := map[string]int{}
	for i := range nodes {
		for _, o := range nodes[i].Outputs {
			if _, twice := maker[o]; !twice && o != "" {
				maker[o] = i
			}
		}
	}
	after, waits := make([][]int, len(nodes)), make([]int, len(nodes))
	for i := range nodes {
		nodes[i].uses(func(name string) {
			if from, ok := maker[name]; ok {
				after[from] = append(after[from], i)
				waits[i]++
			}
		})
	}
	ready := new(queue)
	for i, n := range waits {
		if n == 0 {
			*ready = append(*ready, i) // in order, which is a heap
		}
	}
	sorted := make([]Node, 0, len(nodes))
	for ready.Len() > 0 {
		i := heap.Pop(ready).(int)
		sorted = append(sorted, nodes[i])
		for _, next := range after[i] {
			if waits[next]--; waits[next] == 0 {
				heap.Push(ready, next)
			}
		}
	}
	if len(sorted) == len(nodes) {
		copy(nodes, sorted)
	}
}

// queue is a heap of the places of nodes.
type queue []int

func (q *queue) Len() int           { return len(*q) }
func (q *queue) Less(i, j int) bool { return (*q)[i] < (*q)[j] }
func (q *queue) Swap(i, j int)      { (*q)[i], (*q)[j] = (*q)[j], (*q)[i] }
func (q *queue) Push(x any)         { *q = append(*q, x.(int)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
